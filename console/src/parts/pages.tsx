import { Button } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { text } from "~/text";

interface Page<Row> {
  Values: Row[];
  /** The cursor of the next page; null: this is the last. */
  Next: string | null;
}

interface Pages<Row> {
  key: readonly unknown[];
  read: (after: { cursor?: string }, signal: AbortSignal) => Promise<Page<Row>>;
  /** How often to read again, by what is shown. */
  every?: (rows: Row[]) => number | false;
}

/** The rows of a list with a cursor, page by page. */
export function usePages<Row>({ key, read, every = () => false }: Pages<Row>) {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam ? { cursor: pageParam } : {}, signal),
    initialPageParam: "",
    getNextPageParam: (last) => last.Next,
    select: ({ pages }) => rowsOf(pages),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => every(rowsOf(state.data?.pages ?? [])),
  });
}

function rowsOf<Row>(pages: readonly Page<Row>[]): Row[] {
  return pages.flatMap(({ Values }) => Values);
}

interface ShowMoreProps {
  of: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
}

/** Loads the next page, if there is one. */
export function ShowMore({
  of: { hasNextPage, isFetchingNextPage, fetchNextPage },
}: ShowMoreProps) {
  if (!hasNextPage) return null;
  return (
    <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {text.pages.more}
    </Button>
  );
}
