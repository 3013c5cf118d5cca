import type { HeldRole, User } from "@gamekeeper/client";
import { useQuery } from "@tanstack/react-query";
import { get } from "~/api";
import { useMay } from "~/session";

/** The roles of an account; undefined while they load, or for those who may not see them. */
export function useRoles(user: User): HeldRole[] | undefined {
  const staff = useQuery({
    ...get("/api/v1/staff", { params: { query: { pageSize: 100 } } }),
    enabled: useMay("staff.read"),
  });
  if (!staff.data) return undefined;
  return staff.data.Values.find(({ UserId }) => UserId === user.Id)?.Roles ?? [];
}
