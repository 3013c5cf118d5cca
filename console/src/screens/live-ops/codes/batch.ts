import type { CodeBatch, CreateCodeBatch } from "@gamekeeper/client";
import { type LetterDraft, letterOf } from "../campaigns/work";
import { isWhole } from "../numbers";

export const MAX_CODES = 1_000_000;
export const MAX_USES = 1_000_000;
const CAMPAIGN = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const PREFIX = /^[A-Z0-9]{0,12}$/;

/** A batch as it is typed. */
export interface BatchDraft extends LetterDraft {
  name: string;
  campaign: string;
  codes: number | string;
  uses: number | string;
  prefix: string;
  startsAt: string | undefined;
  endsAt: string | undefined;
}

export const EMPTY_BATCH: BatchDraft = {
  name: "",
  campaign: "",
  codes: 1_000,
  uses: 1,
  prefix: "",
  subject: "",
  text: "",
  items: [],
  startsAt: undefined,
  endsAt: undefined,
  expires: 30,
};

/** Which fields have what the API would refuse; an empty one is only missing. */
export function wrongIn({ campaign, prefix, startsAt, endsAt }: BatchDraft) {
  return {
    campaign: campaign !== "" && !CAMPAIGN.test(campaign),
    prefix: !PREFIX.test(prefix),
    endsAt: startsAt !== undefined && endsAt !== undefined && endsAt <= startsAt,
  };
}

/** The batch as the API takes it; null: something is missing or out of range. */
export function batchOf(draft: BatchDraft): CreateCodeBatch | null {
  const letter = letterOf(draft);
  const [codes, uses] = [Number(draft.codes), Number(draft.uses)];
  const fits = isWhole(codes, MAX_CODES) && isWhole(uses, MAX_USES);
  const isWrong = Object.values(wrongIn(draft)).includes(true);
  if (!letter || !fits || isWrong || !draft.name.trim() || !draft.campaign) return null;
  return {
    name: draft.name.trim(),
    campaign: draft.campaign,
    codes,
    uses,
    ...letter,
    ...(draft.prefix && { prefix: draft.prefix }),
    ...(draft.startsAt && { startsat: draft.startsAt }),
    ...(draft.endsAt && { expiresat: draft.endsAt }),
  };
}

/** Whether codes can be redeemed at an instant: an active batch may not have started, or expired. */
export function stateOf(
  { State, StartsAt, ExpiresAt }: Pick<CodeBatch, "State" | "StartsAt" | "ExpiresAt">,
  now: Date,
): CodeBatch["State"] | "upcoming" | "expired" {
  if (State !== "active") return State;
  if (ExpiresAt !== null && new Date(ExpiresAt) <= now) return "expired";
  return StartsAt !== null && new Date(StartsAt) > now ? "upcoming" : "active";
}

/** How many redemptions a batch allows. */
export function mostOf({ Codes, Uses }: Pick<CodeBatch, "Codes" | "Uses">): number {
  return Codes * Uses;
}

/** How many redemptions are still possible, now or from the start on. */
export function leftOf(
  batch: Pick<CodeBatch, "State" | "StartsAt" | "ExpiresAt" | "Codes" | "Uses" | "Redeemed">,
  now: Date,
): number {
  const isOpen = ["active", "upcoming"].includes(stateOf(batch, now));
  return isOpen ? mostOf(batch) - batch.Redeemed : 0;
}

/** How many codes a downloaded file has: a line each, after the heading. */
export function codesIn(file: string): number {
  return file.trim().split(/\r?\n/).length - 1;
}
