export type { Answer, CallOptions, Init, Path } from "./calls.js";
export { type ClientOptions, connect, type Gamekeeper, type OpenInit } from "./client.js";
export { type Code, GamekeeperError, isError } from "./errors.js";
export { type EventOptions, events } from "./events.js";
export { type Listed, type ListPath, pages } from "./pages.js";
export { hashPassword } from "./passwords.js";
export type { RetryOptions } from "./retries.js";
export type * from "./schema.js";
