import type { ActionHours } from "@gamekeeper/client";
import type { ChartData } from "~/parts/charts/series";

const HOUR = 3_600_000;

/** Kinds of actions that a glance need not tell apart, in the order in which they are drawn. */
const FAMILIES = ["moves", "gifts", "progress", "people", "moderation", "other", "undo"] as const;
export type Family = (typeof FAMILIES)[number];

const KINDS: Record<string, Family> = {
  "items.exchange": "moves",
  "items.move": "moves",
  items: "gifts",
  "players.progress": "progress",
  "players.sheet": "progress",
  "players.class": "progress",
  spells: "progress",
  variables: "progress",
  players: "people",
  users: "people",
  sanctions: "moderation",
  appeals: "moderation",
  templates: "moderation",
  undo: "undo",
};

export function familyOf(kind: string): Family {
  return KINDS[kind] ?? KINDS[kind.split(".")[0] ?? ""] ?? "other";
}

/** Actions by hour and family, hours without any included; families without any left out. */
export function perHour(
  { Since, Values }: Pick<ActionHours, "Since" | "Values">,
  until: Date,
  labels: Record<Family, string>,
): ChartData {
  const first = Math.floor(new Date(Since).getTime() / HOUR) * HOUR;
  const count = Math.max(1, Math.floor((until.getTime() - first) / HOUR) + 1);
  const at = Array.from({ length: count }, (_, index) => first + index * HOUR);
  const sums = new Map<Family, number[]>();
  for (const { Hour, Kind, Count } of Values) {
    const index = Math.round((new Date(Hour).getTime() - first) / HOUR);
    if (index < 0 || index >= count) continue;
    const family = familyOf(Kind);
    const values = sums.get(family) ?? at.map(() => 0);
    values[index] = (values[index] ?? 0) + Count;
    sums.set(family, values);
  }
  const series = FAMILIES.filter((family) => sums.has(family)).map((family) => ({
    key: family,
    label: labels[family],
    values: sums.get(family) ?? [],
  }));
  return { at, span: "hour", series };
}
