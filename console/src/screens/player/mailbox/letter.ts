import type { Letter } from "@gamekeeper/client";

/** How staff change a letter that was sent. */
export type LetterChange = "withdraw" | "claim" | "delete";

/** The changes that the service would accept for a letter in this state. */
export function changesOf({ State, Items }: Letter): LetterChange[] {
  if (State === "open") return Items.length > 0 ? ["claim", "withdraw"] : ["withdraw", "delete"];
  return State === "claimed" ? ["delete"] : [];
}

/** The service itself sends items back to the character that sent them. */
export function isReturned({ Sender }: Letter): boolean {
  return Sender.Kind === "system" && Sender.Name === "mailbox";
}

const YEAR_MS = 366 * 86_400_000;

/** Letters of shops last a century: nothing paid for expires. */
export function expires({ SentAt, ExpiresAt }: Letter): boolean {
  return Date.parse(ExpiresAt) - Date.parse(SentAt) <= YEAR_MS;
}

/** The items of a letter, each once: every bag is a stack of its own. */
export function piecesOf({ Items }: Letter): [string, number][] {
  const pieces = new Map<string, number>();
  for (const { ItemId, Quantity } of Items)
    pieces.set(ItemId, (pieces.get(ItemId) ?? 0) + Quantity);
  return [...pieces];
}
