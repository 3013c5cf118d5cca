import type { KnownSpell } from "@gamekeeper/client";
import type { Mark } from "../items/difference";

export interface SpellLine extends KnownSpell {
  mark: Extract<Mark, "gone" | "new"> | null;
}

/** The spells of then, each compared with now, and those that were learnt since. */
export function compareSpells(
  now: readonly KnownSpell[],
  then: readonly KnownSpell[] | undefined,
): SpellLine[] {
  if (!then) return now.map((spell) => ({ ...spell, mark: null }));
  const ids = (spells: readonly KnownSpell[]) => new Set(spells.map(({ SpellId }) => SpellId));
  const [known, knew] = [ids(now), ids(then)];
  return [
    ...then.map((spell) => ({
      ...spell,
      mark: known.has(spell.SpellId) ? null : ("gone" as const),
    })),
    ...now
      .filter((spell) => !knew.has(spell.SpellId))
      .map((spell) => ({ ...spell, mark: "new" as const })),
  ];
}
