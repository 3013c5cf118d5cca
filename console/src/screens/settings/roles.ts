import type { StaffMember } from "@gamekeeper/client";
import { useQuery } from "@tanstack/react-query";
import { get, gk } from "~/api";
import { type ChangeInit, carryOut, withReason } from "~/change";
import type { WayBack } from "~/toasts";
import { text } from "./text";

export function useRoles() {
  return useQuery(get("/api/v1/roles", { params: { query: { pageSize: 100 } } }));
}

/** There is no staff member by name in the API: the list has at most a few pages. */
export function useStaff() {
  return useQuery(get("/api/v1/staff", { params: { query: { pageSize: 100 } } }));
}

export function grant(user: string, role: string, reason: string, init: ChangeInit) {
  const params = { path: { user, role } };
  return gk.put("/api/v1/staff/{user}/roles/{role}", { params, ...withReason(init, reason) });
}

export function withdraw(user: string, role: string, reason: string, init: ChangeInit) {
  const params = { path: { user, role } };
  return gk.delete("/api/v1/staff/{user}/roles/{role}", { params, ...withReason(init, reason) });
}

/** The log does not undo what is done to the staff; the opposite change does. */
export function opposite(change: (init: ChangeInit) => Promise<unknown>): WayBack {
  const { undo: label, undone: done, notUndone: failed } = text;
  return { label, act: () => carryOut(change), done, failed };
}

export function roleNames(member: StaffMember | undefined): string[] {
  return member?.Roles.map((role) => role.Name) ?? [];
}
