import { useQuery } from "@tanstack/react-query";
import { get } from "~/api";

/** How many requests wait for approval, for those who may decide: a part of what the strip shows. */
export function useWaitingApprovals(): number {
  return useQuery(get("/api/v1/overview")).data?.PendingApprovals ?? 0;
}
