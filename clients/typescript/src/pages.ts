import type { PathsWithMethod } from "openapi-typescript-helpers";
import type { Answer, Init } from "./calls.js";
import type { Gamekeeper } from "./client.js";
import type { paths } from "./schema.js";

interface NumberedPage {
  Total: number;
  Page: number;
  PageSize: number;
  Values: unknown[];
}

interface CursorPage {
  Values: unknown[];
  Next: string | null;
}

/** The lists that come in pages. */
export type ListPath = {
  [P in PathsWithMethod<paths, "get">]: Answer<"get", P> extends NumberedPage | CursorPage
    ? P
    : never;
}[PathsWithMethod<paths, "get">];

/** What a list is of. */
export type Listed<P extends ListPath> =
  Answer<"get", P> extends { Values: (infer Value)[] } ? Value : never;

interface ListInit {
  params?: { query?: Record<string, unknown> };
}

/**
 * Everything on a list, page after page, read when it is needed.
 *
 * Begins at the `page` or `cursor` of the query, if there is one. A list by page numbers may
 * repeat or skip an entry if others come or go meanwhile; one by cursors does not.
 */
export async function* pages<P extends ListPath>(
  gk: Gamekeeper,
  path: P,
  ...[init]: Init<"get", P>
): AsyncGenerator<Listed<P>, void, undefined> {
  const get = gk.get as (path: string, init: ListInit) => Promise<NumberedPage | CursorPage>;
  const given: ListInit = init ?? {};
  // The history of sessions goes back from an instant.
  const cursor = path.endsWith("/sessions") ? "before" : "cursor";
  let query: Record<string, unknown> = { pageSize: 100, ...given.params?.query };
  for (;;) {
    const page = await get(path, { ...given, params: { ...given.params, query } });
    yield* page.Values as Listed<P>[];
    if ("Next" in page) {
      if (page.Next === null) return;
      query = { ...query, [cursor]: page.Next };
    } else {
      if (page.Values.length === 0 || (page.Page + 1) * page.PageSize >= page.Total) return;
      query = { ...query, page: page.Page + 1 };
    }
  }
}
