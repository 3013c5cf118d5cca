import createClient, { type HeadersOptions, mergeHeaders } from "openapi-fetch";
import type { Call, CallOptions } from "./calls.js";
import { errorOf, noAnswer, unreadable } from "./errors.js";
import { takesKey } from "./keyed.js";
import { persist, type RetryOptions } from "./retries.js";
import type { paths } from "./schema.js";

export interface ClientOptions extends RetryOptions {
  /** Where the service is, such as `https://game.example`; in a browser the page's own origin. */
  url?: string;
  /** An API key; in a browser leave it out, the session's cookie is sent by itself. */
  key?: string;
  /** Sent with every request. */
  headers?: Record<string, string>;
  fetch?: (request: Request) => Promise<Response>;
}

/**
 * Calls of the API, typed by path: each gives what the service answered, or throws a
 * GamekeeperError. Aborted by its `signal`, it throws the signal's reason.
 */
export interface Gamekeeper {
  get: Call<"get">;
  post: Call<"post">;
  put: Call<"put">;
  patch: Call<"patch">;
  delete: Call<"delete">;
  /** The answer to one GET, its body still to be read; never repeated. */
  open: (path: keyof paths, init?: OpenInit) => Promise<Response>;
}

export interface OpenInit {
  params?: { query?: Record<string, unknown>; path?: Record<string, unknown> };
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

interface AnyInit extends CallOptions {
  params?: { query?: { wait?: unknown } };
  body?: { wait?: unknown };
  headers?: HeadersOptions;
  signal?: AbortSignal | null;
}

type Send = (method: string, path: string, init: object) => Promise<Response>;

export function connect(options: ClientOptions = {}): Gamekeeper {
  const send = sender(options);
  const { retries = 3, deadline = 30_000, timeout = 10_000 } = options;
  const calls = <M extends "get" | "post" | "put" | "patch" | "delete">(method: M) =>
    ((path: string, init: AnyInit = {}) =>
      call(send, method, path, { retries, deadline, timeout, ...init })) as Call<M>;
  return {
    get: calls("get"),
    post: calls("post"),
    put: calls("put"),
    patch: calls("patch"),
    delete: calls("delete"),
    open: (path, init = {}) =>
      send("get", path, init).catch((error: unknown) => {
        init.signal?.throwIfAborted();
        throw error;
      }),
  };
}

/** Sends one request, once, and gives its answer; whatever is no success is thrown. */
function sender(options: ClientOptions): Send {
  const fetchOnce = options.fetch ?? ((request: Request) => fetch(request));
  const client = createClient<paths>({
    baseUrl: options.url ?? "",
    headers: { ...credential(options), ...options.headers },
    fetch: async (request) => {
      const answer = await fetchOnce(request).catch((cause: unknown) => {
        throw noAnswer(cause);
      });
      if (answer.status !== 200) throw await errorOf(answer);
      return answer;
    },
  });
  const request = client.request as (
    method: string,
    path: string,
    init: object,
  ) => Promise<{ response: Response }>;
  return async (method, path, init) =>
    (await request(method, path, { ...init, parseAs: "stream" })).response;
}

function credential({ key, url }: ClientOptions): Record<string, string> {
  if (key) return { Authorization: `Bearer ${key}` };
  // With a cookie the service wants to see that it is our page; another one may not say so.
  const here = globalThis.location?.origin;
  const isElsewhere = url && here && new URL(url, here).origin !== here;
  return isElsewhere ? {} : { "X-Gamekeeper": "1" };
}

async function call(
  send: Send,
  method: string,
  path: string,
  init: AnyInit & Required<RetryOptions>,
): Promise<unknown> {
  const { retries, deadline, timeout, idempotencyKey, signal, ...rest } = init;
  const headers = mergeHeaders(rest.headers);
  const mayTakeKey = takesKey.has(`${method} ${path}`);
  if (idempotencyKey !== undefined) headers.set("Idempotency-Key", idempotencyKey);
  else if (mayTakeKey && !headers.has("Idempotency-Key")) {
    headers.set("Idempotency-Key", randomKey());
  }
  // What is asked to wait for something is given the time.
  const wait = Number(rest.params?.query?.wait ?? rest.body?.wait ?? 0) * 1000 || 0;
  const isRepeatable = method === "get" || mayTakeKey || hasOwnKeys(path);
  return persist(
    async (attempt) => read(await send(method, path, { ...rest, headers, signal: attempt })),
    {
      retries: isRepeatable ? retries : 0,
      deadline: deadline + wait,
      timeout: timeout + wait,
      signal,
    },
  );
}

/** Each transaction carries a key in the body. */
function hasOwnKeys(path: string): boolean {
  return path === "/api/v1/transactions";
}

/** From the generator that pages without HTTPS have too; they have no `randomUUID`. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function read(answer: Response): Promise<unknown> {
  const kind = answer.headers.get("Content-Type") ?? "";
  const body = await (kind.startsWith("image/") ? answer.blob() : answer.text()).catch(
    (cause: unknown) => {
      throw noAnswer(cause);
    },
  );
  if (typeof body !== "string" || kind.startsWith("text/")) return body;
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw unreadable(answer, cause);
  }
}
