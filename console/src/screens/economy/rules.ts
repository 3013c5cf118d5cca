import type { EconomyRule } from "@gamekeeper/client";
import { grouped } from "~/format";
import { text } from "./text";

type Sentence = Pick<EconomyRule, "Shape" | "ItemName" | "ItemId" | "MoreThan" | "Days">;

/** A rule as a sentence. */
export function sentenceOf({ Shape, ItemName, ItemId, MoreThan, Days }: Sentence): string {
  const what = ItemId ? (ItemName ?? ItemId) : text.rules.value;
  return text.rules.sentences[Shape](`${grouped(MoreThan)} ${what}`, Days ?? 0);
}
