import { isWhole } from "../numbers";
import type { WorkDraft } from "./work";

/** When recipients get the work: at the start, or when they next join (letters only). */
export interface DeliveryDraft {
  onJoin: boolean;
  /** With `onJoin`: the instant of the end. */
  endsAt: string | undefined;
  /** With `onJoin`: how many characters get the letter. */
  most: number | string;
}

export const MAX_RECIPIENTS = 10_000_000;
export const AT_START: DeliveryDraft = { onJoin: false, endsAt: undefined, most: 1_000_000 };

/** The delivery as the API takes it; null: something is not filled in. */
export function deliveryOf(
  draft: DeliveryDraft,
  kind: WorkDraft["kind"],
): { onjoin?: boolean; endsat?: string; maxrecipients?: number } | null {
  if (kind !== "letter" || !draft.onJoin) return {};
  const most = Number(draft.most);
  if (!draft.endsAt || !isWhole(most, MAX_RECIPIENTS)) return null;
  return { onjoin: true, endsat: draft.endsAt, maxrecipients: most };
}

/** A campaign that is delivered on joining: its recipients are not known before. */
interface Lazy {
  OnJoin: boolean;
  MaxRecipients: number | null;
  Recipients: number;
}

/** The number of recipients that count against limits. */
export function boundOf({ MaxRecipients, Recipients }: Lazy): number {
  return MaxRecipients ?? Recipients;
}
