import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get } from "~/api";
import { useNow } from "~/parts/When";

export const RANGES = ["day", "week", "month"] as const;
export type Range = (typeof RANGES)[number];

const HOUR = 3_600_000;
const MINUTES = 10 * 60_000;
const DAYS: Record<Range, number> = { day: 1, week: 7, month: 30 };

/** How many points of a range are drawn as one: of a day, ten minutes. */
export const STEPS: Record<Range, number> = { day: 10, week: 1, month: 1 };

/** How many played, whole and by server, over a day, a week or a month. */
export function useOnlineHistory(range: Range) {
  const span = range === "day" ? "minute" : "hour";
  // From a whole step on, so that the same is asked for until there is more to see.
  const step = range === "day" ? MINUTES : HOUR;
  const from = Math.floor(useNow().getTime() / step) * step - DAYS[range] * 24 * HOUR;
  return useQuery({
    ...get("/api/v1/players/online/history", {
      params: { query: { span, from: new Date(from).toISOString(), servers: true } },
    }),
    placeholderData: keepPreviousData,
  });
}
