import type { Sanction } from "@gamekeeper/client";
import { Tooltip } from "@mantine/core";
import { day, exact, time } from "~/format";
import { useNow } from "~/parts/When";
import { type TimeZone, useTimeZone } from "~/preferences";
import { ICONS, lasts, stateOf } from "./kinds";
import classes from "./SanctionBadge.module.css";
import { text } from "./text";

const DAY = 86_400_000;

/** A sanction in three words: which kind, and until when; or that it is over. */
export function SanctionBadge({ sanction }: { sanction: Sanction }) {
  const [zone] = useTimeZone();
  const now = useNow();
  const state = stateOf(sanction, now);
  const isOver = state === "lifted" || state === "ended";
  const Icon = ICONS[sanction.Kind];
  const instant = sanction.EndsAt ? exact(new Date(sanction.EndsAt), zone) : text.permanent;
  return (
    <Tooltip label={instant} disabled={!lasts(sanction.Kind)}>
      <span className={classes.badge} data-kind={sanction.Kind} data-over={isOver}>
        <Icon size={14} aria-hidden="true" />
        <span className={classes.word}>{text.kinds[sanction.Kind]}</span>
        <span className={classes.until}>{periodOf(sanction, now, zone)}</span>
      </span>
    </Tooltip>
  );
}

function periodOf(sanction: Sanction, now: Date, zone: TimeZone): string {
  const state = stateOf(sanction, now);
  if (state === "lifted" || state === "ended") return text.states[state];
  if (state === "scheduled") return text.from(short(new Date(sanction.StartsAt), now, zone));
  if (sanction.EndsAt) return text.until(short(new Date(sanction.EndsAt), now, zone));
  return lasts(sanction.Kind) ? text.permanent : "";
}

/** The time if that is today or tomorrow, else the date. */
function short(at: Date, now: Date, zone: TimeZone): string {
  const hour = time(at, zone).slice(0, 5);
  if (day(at, zone) === day(now, zone)) return hour;
  const tomorrow = new Date(now.getTime() + DAY);
  return day(at, zone) === day(tomorrow, zone) ? text.tomorrow(hour) : day(at, zone);
}
