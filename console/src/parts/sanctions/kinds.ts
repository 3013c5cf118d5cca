import type { Sanction } from "@gamekeeper/client";
import {
  IconAlertTriangle,
  IconBan,
  IconLock,
  IconMessageOff,
  IconNote,
  type TablerIcon,
} from "@tabler/icons-react";

export type Kind = Sanction["Kind"];
/** From the gravest to the mildest. */
export const KINDS: readonly Kind[] = ["ban", "mute", "trade_lock", "warning", "note"];

export const ICONS: Record<Kind, TablerIcon> = {
  ban: IconBan,
  mute: IconMessageOff,
  trade_lock: IconLock,
  warning: IconAlertTriangle,
  note: IconNote,
};

/** A warning and a note happen; they do not last. */
export function lasts(kind: Kind): boolean {
  return kind !== "warning" && kind !== "note";
}

export type SanctionState = "scheduled" | "in_force" | "ended" | "lifted";

export function stateOf(sanction: Sanction, now: Date): SanctionState {
  if (sanction.LiftedAt) return "lifted";
  if (new Date(sanction.StartsAt) > now) return "scheduled";
  return sanction.EndsAt && new Date(sanction.EndsAt) <= now ? "ended" : "in_force";
}
