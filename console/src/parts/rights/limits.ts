import type { LimitsBody, LimitsRecord } from "@gamekeeper/client";
import { text } from "./text";

export const LIMITS = ["LargestGift", "PiecesPerDay", "ValuePerDay", "UndosPerDay"] as const;
export const NO_LIMITS: LimitsRecord = {
  LargestGift: null,
  PiecesPerDay: null,
  ValuePerDay: null,
  UndosPerDay: null,
};

/** As a request says them: what is without limit is left out. */
export function limitsBody(limits: LimitsRecord): LimitsBody {
  const set = LIMITS.filter((limit) => limits[limit] !== null);
  return Object.fromEntries(set.map((limit) => [limit.toLowerCase(), limits[limit]]));
}

export function isLimited(limits: LimitsRecord): boolean {
  return LIMITS.some((limit) => limits[limit] !== null);
}

export function limitsInWords(limits: LimitsRecord): string[] {
  return LIMITS.flatMap((limit) => {
    const most = limits[limit];
    return most === null ? [] : [text.limitWords[limit](most)];
  });
}
