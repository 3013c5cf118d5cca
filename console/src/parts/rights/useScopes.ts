import { useQuery } from "@tanstack/react-query";
import { get } from "~/api";
import { useMay } from "~/session";

/** What the service says of each scope; nothing for those who may not make keys. */
export function useScopes() {
  const may = useMay("keys.manage");
  const query = { ...get("/api/v1/keys/scopes"), staleTime: 10 * 60_000, enabled: may };
  return useQuery(query).data?.Values;
}
