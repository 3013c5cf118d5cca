import type { CampaignSchedule, CreateSchedule } from "@gamekeeper/client";
import { text } from "./text";

export const REPEATS = ["once", "weekly", "cron"] as const;
export type Repeat = (typeof REPEATS)[number];

export const DAYS = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const;
type Day = (typeof DAYS)[number];

/** When a schedule runs and when a run ends, as it is typed; each way to repeat keeps its fields. */
export interface PlanDraft {
  repeat: Repeat;
  zone: string;
  startsAt: string | undefined;
  endsAt: string | undefined;
  days: readonly string[];
  time: string;
  /** "": never. "*": every day. */
  endDay: string;
  endTime: string;
  cron: string;
  endsCron: string;
}

export function emptyPlan(zone: string): PlanDraft {
  return {
    repeat: "once",
    zone,
    startsAt: undefined,
    endsAt: undefined,
    days: ["FRI"],
    time: "18:00",
    endDay: "",
    endTime: "09:00",
    cron: "",
    endsCron: "",
  };
}

export type PlanBody = Pick<
  CreateSchedule,
  "startsat" | "endsat" | "cron" | "endscron" | "timezone"
>;

/**
 * The plan as the API takes it; null: something is not filled in.
 *
 * What cannot be taken back has no end, and a letter on joining needs one.
 */
export function planOf(draft: PlanDraft, end: "none" | "optional" | "required"): PlanBody | null {
  const plan = { once, weekly, cron }[draft.repeat](draft);
  if (!plan) return null;
  const { endsat, endscron, ...start } = plan;
  const hasEnd = endsat !== undefined || endscron !== undefined;
  if (end === "none") return start;
  return end === "required" && !hasEnd ? null : plan;
}

/** Whether the end of a single run is not after its start. */
export function endsTooEarly({ startsAt, endsAt }: Pick<PlanDraft, "startsAt" | "endsAt">) {
  return startsAt !== undefined && endsAt !== undefined && endsAt <= startsAt;
}

function once({ startsAt, endsAt, zone }: PlanDraft): PlanBody | null {
  if (!startsAt || endsTooEarly({ startsAt, endsAt })) return null;
  return { startsat: startsAt, timezone: zone, ...(endsAt && { endsat: endsAt }) };
}

function weekly({ days, time, endDay, endTime, zone }: PlanDraft): PlanBody | null {
  const start = cronOf(time, DAYS.filter((day) => days.includes(day)).join(","));
  const end = endDay && cronOf(endTime, endDay);
  if (!start || end === null) return null;
  return { cron: start, timezone: zone, ...(end && { endscron: end }) };
}

function cron(draft: PlanDraft): PlanBody | null {
  const start = draft.cron.trim();
  const end = draft.endsCron.trim();
  const isComplete = [start, end || start].every((one) => one.split(/\s+/).length === 5);
  if (!isComplete) return null;
  return { cron: start, timezone: draft.zone, ...(end && { endscron: end }) };
}

/** A time of some days of the week as a cron expression; null: one of them is missing. */
function cronOf(time: string, days: string): string | null {
  const [, hour, minute] = /^(\d\d):(\d\d)/.exec(time) ?? [];
  if (hour === undefined || minute === undefined || !days) return null;
  return `${Number(minute)} ${Number(hour)} * * ${days}`;
}

/** A cron expression in words, if it is a time of some days; others stay as they are. */
export function described(expression: string): string {
  const [, minute, hour, days] =
    /^(\d{1,2}) (\d{1,2}) \* \* (\*|[A-Z]{3}(?:,[A-Z]{3})*)$/.exec(expression) ?? [];
  if (minute === undefined || hour === undefined || days === undefined) return expression;
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (days === "*") return text.when.daily(time);
  const names = days.split(",").map((day) => text.days[day as Day] ?? day);
  return text.when.on(names.join(", "), time);
}

/** The days and the time of a schedule that repeats, in its time zone. */
export function describedPlan({ Cron, TimeZone }: Pick<CampaignSchedule, "Cron" | "TimeZone">) {
  return text.when.inZone(described(Cron ?? ""), TimeZone);
}

/** "2026-11-20T18:00:00+01:00" as "2026-11-20 18:00 +01:00". */
export function localOf(stamp: string): string {
  return `${stamp.slice(0, 10)} ${stamp.slice(11, 16)} ${offsetOf(stamp)}`;
}

/** The offset from UTC at the end of a local time, which may have fractions of a second. */
export function offsetOf(stamp: string): string {
  return /[+-]\d\d:\d\d$/.exec(stamp)?.[0] ?? "";
}

/** When a schedule runs next: not at all while it is paused. */
export function nextOf({ State, NextAt }: Pick<CampaignSchedule, "State" | "NextAt">) {
  return State === "active" ? NextAt : null;
}

/**
 * What happens to the next run of a paused schedule that is resumed: a cron expression has a
 * later one; the run of a single instant may be due, or too late.
 */
export function resumedRun(
  schedule: Pick<CampaignSchedule, "Cron" | "NextAt" | "EndsAt" | "GraceMinutes">,
  now: Date,
): "repeated" | "planned" | "due" | "missed" {
  const { Cron, NextAt, EndsAt, GraceMinutes } = schedule;
  if (Cron !== null || NextAt === null) return "repeated";
  const planned = Date.parse(NextAt);
  if (planned > now.getTime()) return "planned";
  const latest = planned + GraceMinutes * 60_000;
  const hasEnded = EndsAt !== null && Date.parse(EndsAt) <= now.getTime();
  return now.getTime() > latest || hasEnded ? "missed" : "due";
}

/** Whether recipients of runs can lose what they got: messages stay said. */
export function canEnd(kind: CampaignSchedule["Work"]["Kind"]): boolean {
  return kind !== "message" && kind !== "announcement";
}
