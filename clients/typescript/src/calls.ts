import type { MaybeOptionalInit } from "openapi-fetch";
import type { HttpMethod, PathsWithMethod } from "openapi-typescript-helpers";
import type { RetryOptions } from "./retries.js";
import type { paths } from "./schema.js";

/** What every call takes besides `params`, `body`, `headers`, and `signal`, which aborts it. */
export interface CallOptions extends RetryOptions {
  /**
   * Of a change: sent again with the same key, even days later, it is not made twice. Without
   * one a random key protects the retries of this call.
   */
  idempotencyKey?: string;
}

/** The paths that have this method. */
export type Path<M extends HttpMethod> = PathsWithMethod<paths, M>;

type Wanted<M extends HttpMethod, P extends PathsWithMethod<paths, M>> = MaybeOptionalInit<
  paths[P],
  M & keyof paths[P]
>;

/** The arguments of a call after its path: none are needed if nothing in them is required. */
export type Init<M extends HttpMethod, P extends PathsWithMethod<paths, M>> =
  undefined extends Wanted<M, P>
    ? [init?: NonNullable<Wanted<M, P>> & CallOptions]
    : [init: Wanted<M, P> & CallOptions];

/** What the service answers to a call. */
export type Answer<M extends HttpMethod, P extends PathsWithMethod<paths, M>> = paths[P][M &
  keyof paths[P]] extends { responses: { 200: { content: infer Content } } }
  ? Content[keyof Content]
  : never;

export type Call<M extends HttpMethod> = <P extends PathsWithMethod<paths, M>>(
  path: P,
  ...init: Init<M, P>
) => Promise<Answer<M, P>>;
