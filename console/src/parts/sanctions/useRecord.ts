import type { Sanction } from "@gamekeeper/client";
import { useQuery } from "@tanstack/react-query";
import { get } from "~/api";
import { useMay } from "~/session";

const LIMIT = 100;

/** All that was imposed on an account and its characters, notes too; newest first. */
export function useAccountRecord(key: string) {
  return useQuery({
    ...get("/api/v1/users/{key}/sanctions", {
      params: { path: { key }, query: { limit: LIMIT } },
    }),
    enabled: useMay("sanctions.read"),
  });
}

/** All that concerns a character: what was imposed on it, and on its account. */
export function usePlayerRecord(key: string) {
  return useQuery({
    ...get("/api/v1/players/{key}/sanctions", {
      params: { path: { key }, query: { limit: LIMIT } },
    }),
    enabled: useMay("sanctions.read"),
  });
}

/** What restrains somebody now, for a header: warnings and notes restrain nobody. */
export function restraints(record: Sanction[]): Sanction[] {
  return record.filter((one) => one.InForce && one.Kind !== "warning" && one.Kind !== "note");
}
