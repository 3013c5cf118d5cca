import {
  IconBan,
  type IconGift,
  IconNotes,
  IconQuestionMark,
  IconUserQuestion,
} from "@tabler/icons-react";
import { KINDS, type KindFacts } from "./kinds.generated";

const KNOWN: Readonly<Record<string, KindFacts>> = KINDS;

/** What a sanction does, where the icon of a gavel says less. */
export const SANCTION_ICONS: Readonly<Record<string, typeof IconGift>> = {
  ban: IconBan,
  note: IconNotes,
  warning: IconUserQuestion,
};

export function factsOf(kindName: string): KindFacts {
  return KNOWN[kindName] ?? unknown(kindName);
}

/** A kind that this console does not know yet: grouped with those that have its first word. */
function unknown(kindName: string): KindFacts {
  const first = `${kindName.split(".")[0]}.`;
  const like = Object.entries(KNOWN).find(([known]) => known.startsWith(first))?.[1];
  return {
    label: inWords(kindName),
    group: like?.group ?? "system",
    tone: "plain",
    icon: IconQuestionMark,
    series: like?.series ?? "other",
  };
}

/** What a kind is called in a list to choose from. */
export function kindLabel(kindName: string): string {
  return factsOf(kindName).label;
}

/** What a kind is called as a change of a character's state. */
export function momentLabel(kindName: string): string {
  return factsOf(kindName).moment ?? kindLabel(kindName);
}

/** `guilds.found` as words: "guilds: found". */
export function inWords(kindName: string): string {
  const [first = kindName, ...rest] = kindName.replaceAll("_", " ").split(".");
  return rest.length > 0 ? `${first}: ${rest.join(" ")}` : first;
}
