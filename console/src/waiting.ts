import { useQuery } from "@tanstack/react-query";
import { get } from "~/api";

/** How much waits for me, for those who may decide: a part of what the strip shows. */
export function useWaiting(): Record<"approvals" | "appeals" | "cases", number> {
  const { data } = useQuery(get("/api/v1/overview"));
  return {
    approvals: data?.PendingApprovals ?? 0,
    appeals: data?.OpenAppeals ?? 0,
    cases: data?.ClaimedCases ?? 0,
  };
}
