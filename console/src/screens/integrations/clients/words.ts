import { text } from "./text";

/** The data that a client may ask for, in words. */
export function scopesInWords(scopes: readonly string[]): string {
  return scopes
    .filter((scope) => scope !== "openid")
    .map((scope) => text.scopes[scope] ?? scope)
    .join(", ");
}
