import type { Case } from "@gamekeeper/client";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { gk, queries } from "~/api";
import { useLive } from "~/live";

/** Others are listed for 60 seconds after they were last here. */
const EVERY = 20_000;

/** Says that I look at a case, and knows who else does and whether it has grown. */
export function useViewers(about: Case): { names: string[]; newReports: number } {
  const { data, refetch } = useQuery({
    // Not below the path of the case: a change of the case is no reason to say it again.
    queryKey: ["viewers of a case", about.Id],
    queryFn: ({ signal }) =>
      gk.post("/api/v1/cases/{id}/view", { params: { path: { id: about.Id } }, signal }),
    refetchInterval: EVERY,
    retry: false,
  });
  useLive(["reports.file"], (event) => {
    if (event.UserId === about.UserId) void refetch();
  });
  // Without events, the answer says that somebody else claimed or closed it.
  const isOld = data && (data.ClaimedBy !== about.ClaimedBy || data.State !== about.State);
  useEffect(() => {
    if (isOld) void queries.invalidateQueries({ queryKey: ["/api/v1/cases/{id}"] });
  }, [isOld]);
  return {
    names: data?.Values.map(({ Name }) => Name) ?? [],
    newReports: about.State === "open" ? Math.max(0, (data?.Reports ?? 0) - about.Reports) : 0,
  };
}
