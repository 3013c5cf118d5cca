import { useQuery } from "@tanstack/react-query";
import { gk } from "~/api";
import { withSecondFactor } from "~/change";

/** Milliseconds: the work of 200 recipients, on a busy database. */
const TIMEOUT = 30_000;

/**
 * The dry run of a campaign, once it is asked for. Its key is none of the API's paths: events
 * about campaigns must not repeat it, because it locks the recipients that it tries.
 */
export function useDryRun(campaign: string, enabled: boolean) {
  return useQuery({
    queryKey: ["dry-run", campaign],
    queryFn: ({ signal }) =>
      withSecondFactor(() =>
        gk.post("/api/v1/campaigns/{campaign_id}/dry-run", {
          params: { path: { campaign_id: campaign } },
          signal,
          timeout: TIMEOUT,
        }),
      ),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
}
