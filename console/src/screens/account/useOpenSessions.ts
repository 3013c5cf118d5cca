import type { User } from "@gamekeeper/client";
import { useQuery } from "@tanstack/react-query";
import { get } from "~/api";
import { useMay } from "~/session";
import { useRoles } from "./useRoles";

/** The browser sessions that an account has open; only staff have any. */
export function useOpenSessions(user: User) {
  const mayManage = useMay("staff.manage");
  const isStaff = (useRoles(user)?.length ?? 0) > 0;
  return useQuery({
    ...get("/api/v1/staff/{user}/sessions", { params: { path: { user: user.Name } } }),
    enabled: mayManage && isStaff,
  });
}
