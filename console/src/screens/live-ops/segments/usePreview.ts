import type { SegmentPreview } from "@gamekeeper/client";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { gk } from "~/api";
import type { bodyOf } from "./definition";

type Conditions = NonNullable<ReturnType<typeof bodyOf>>;

/** Milliseconds: an exact count takes up to 20 seconds, and may wait for another one before. */
const EXACT_TIMEOUT = 25_000;

/** The number of members of conditions, and some of them; an estimate if that is quicker. */
export function previewOf(conditions: Conditions | null, exact: boolean) {
  return queryOptions({
    queryKey: ["/api/v1/segments/preview", conditions, exact],
    queryFn: ({ signal }) =>
      gk.post("/api/v1/segments/preview", {
        body: { ...(conditions ?? { groups: [] }), exact },
        signal,
        ...(exact && { timeout: EXACT_TIMEOUT }),
      }),
    // A count that was too slow is too slow again.
    ...(exact && { retry: false }),
    staleTime: 30_000,
  });
}

export interface Preview {
  /** What is known best: the exact number once it is there. */
  known: SegmentPreview | undefined;
  error: Error | null;
  /** Whether it belongs to earlier conditions, and the new ones are being counted. */
  isStale: boolean;
  /** Whether an estimate is shown while all are counted. */
  isCounting: boolean;
  /** Whether the exact count was given up. */
  isTooSlow: boolean;
}

/** A quick count, and after an estimate the exact one. Null: the conditions are not complete. */
export function usePreview(conditions: Conditions | null): Preview {
  const quick = useQuery({
    ...previewOf(conditions, false),
    enabled: conditions !== null,
    placeholderData: keepPreviousData,
  });
  const isEstimate = quick.data?.IsEstimate === true && !quick.isPlaceholderData;
  const exact = useQuery({
    ...previewOf(conditions, true),
    enabled: conditions !== null && isEstimate,
  });
  return {
    known: (isEstimate && exact.data) || quick.data,
    error: quick.error,
    isStale: quick.isPlaceholderData,
    isCounting: isEstimate && exact.isFetching,
    isTooSlow: isEstimate && exact.isError,
  };
}
