import type { Campaign, CampaignWorkBody } from "@gamekeeper/client";
import { isWhole } from "../numbers";

/** Announcements have no recipients: they are of schedules. */
export type Kind = Exclude<CampaignWorkBody["kind"], "announcement">;

export const KINDS: readonly Kind[] = ["letter", "give", "take", "variable", "spell", "message"];

/** The scope of each kind of work: a campaign is no way around it. */
export const SCOPES: Readonly<Record<Kind, string>> = {
  letter: "players.items",
  give: "players.items",
  take: "players.items",
  variable: "players.variables",
  spell: "players.spells",
  message: "commands",
};
/** Characters in a message: it is a line on the screen of the game. */
export const MAX_MESSAGE = 500;
/** Stacks in a letter. */
export const MAX_ITEMS = 10;
export const MAX_LETTER_DAYS = 365;

export interface ItemDraft {
  key: number;
  item: string | null;
  quantity: number | string;
}

/** A letter as it is edited. */
export interface LetterDraft {
  subject: string;
  text: string;
  /** Days. */
  expires: number | string;
  items: readonly ItemDraft[];
}

/** The work as it is edited, of all kinds at once: another kind keeps what was typed. */
export interface WorkDraft extends LetterDraft {
  kind: Kind;
  toBank: boolean;
  variable: string | null;
  value: string | number | boolean | undefined;
  spell: string | null;
  message: string;
}

export const EMPTY_WORK: WorkDraft = {
  kind: "letter",
  subject: "",
  text: "",
  expires: 30,
  items: [],
  toBank: false,
  variable: null,
  value: undefined,
  spell: null,
  message: "",
};

/** An item of this kind of work that is not chosen yet. */
export function newItem(items: readonly ItemDraft[]): ItemDraft {
  return { key: Math.max(0, ...items.map(({ key }) => key)) + 1, item: null, quantity: 1 };
}

/** Another kind of work; items given or taken are exactly one. */
export function withKind(draft: WorkDraft, kind: Kind): WorkDraft {
  const isSingle = kind === "give" || kind === "take";
  const [first = newItem([])] = draft.items;
  return { ...draft, kind, items: isSingle ? [first] : draft.items };
}

/** Items and quantities; null: one of them is not complete. */
export function itemsOf(
  draft: Pick<WorkDraft, "items">,
): { itemid: string; quantity: number }[] | null {
  const complete = draft.items.flatMap(({ item, quantity }) => {
    const count = Number(quantity);
    return item && Number.isInteger(count) && count >= 1 ? [{ itemid: item, quantity: count }] : [];
  });
  return complete.length === draft.items.length ? complete : null;
}

/** The letter as the API takes it; null: something is not filled in. */
export function letterOf(draft: LetterDraft) {
  const items = itemsOf(draft);
  const expiresindays = Number(draft.expires);
  const [subject, body] = [draft.subject.trim(), draft.text.trim()];
  if (!items || !subject || !isWhole(expiresindays, MAX_LETTER_DAYS)) return null;
  return {
    subject,
    ...(body && { text: body }),
    ...(items.length > 0 && { items }),
    expiresindays,
  };
}

/** The work as the API takes it; null: something is not filled in. */
export function workOf(draft: WorkDraft): CampaignWorkBody | null {
  const { kind } = draft;
  const items = itemsOf(draft);
  if (kind === "letter") {
    const letter = letterOf(draft);
    return letter && { kind, ...letter };
  }
  if (kind === "give" || kind === "take") {
    if (items?.length !== 1) return null;
    return { kind, items, ...(kind === "give" && draft.toBank && { overflowtobank: true }) };
  }
  if (kind === "message") return draft.message.trim() ? { kind, text: draft.message.trim() } : null;
  if (kind === "spell") return draft.spell ? { kind, id: draft.spell } : null;
  if (!draft.variable || draft.value === undefined) return null;
  return { kind, id: draft.variable, value: draft.value };
}

/** The pieces that a campaign creates for so many recipients: they count against limits. */
export function createdPieces(
  work: Pick<Campaign["Work"], "Kind" | "Items">,
  recipients: number,
): { item: string; count: number }[] {
  if (work.Kind !== "letter" && work.Kind !== "give") return [];
  return work.Items.map(({ ItemId, Quantity }) => ({ item: ItemId, count: Quantity * recipients }));
}
