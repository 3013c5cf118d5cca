import { grouped } from "~/format";
import { CatalogName } from "../CatalogName";
import { transactionOf } from "../entry";
import { Listed } from "../Phrase";
import { numberAt, stateOf, textAt } from "../read";
import { text } from "../text";
import { Value } from "../Value";
import { type Form, form, type Said, type Telling } from "./said";

export function spells(telling: Telling): Said {
  const { entry } = telling;
  const isTeach = entry.Kind === "spells.teach";
  const spell = textAt(stateOf(isTeach ? entry.After : entry.Before), "spell_id");
  const isReport = transactionOf(entry) !== undefined;
  const name = isTeach ? (isReport ? "learned" : "teach") : isReport ? "forgot" : "forget";
  return {
    form: form(telling, name),
    isReport,
    parts: { spell: spell ? <CatalogName part="spells" id={spell} /> : text.something },
  };
}

const SETTINGS: Readonly<Record<string, [Form, Form]>> = {
  "users.variable": ["setUser", "setUserFrom"],
  "game.variable": ["setGame", "setGameFrom"],
};

export function variables(telling: Telling): Said {
  const [before, after] = [stateOf(telling.entry.Before), stateOf(telling.entry.After)];
  const id = textAt(after, "variable_id") ?? textAt(before, "variable_id");
  const isFirst = before.value === null || before.value === undefined;
  const [first, from] = SETTINGS[telling.entry.Kind] ?? ["set", "setFrom"];
  return {
    form: form(telling, isFirst ? first : from),
    parts: {
      variable: id ? <CatalogName part="variables" id={id} /> : text.something,
      before: <Value of={before.value} />,
      after: <Value of={after.value} />,
    },
  };
}

export function progress(telling: Telling): Said {
  const [before, after] = [stateOf(telling.entry.Before), stateOf(telling.entry.After)];
  const [was, is] = [numberAt(before, "level"), numberAt(after, "level")];
  const gain = (numberAt(after, "exp") ?? 0) - (numberAt(before, "exp") ?? 0);
  const isReport = transactionOf(telling.entry) !== undefined;
  if (was !== is) {
    const isRise = isReport && (is ?? 0) > (was ?? 0);
    return {
      form: form(telling, isRise ? "reached" : "level"),
      isReport: isRise,
      parts: { before: <Value of={was} />, after: <Value of={is} /> },
    };
  }
  if (isReport && gain > 0) {
    return {
      form: form(telling, "gained"),
      isReport,
      parts: { count: <Value of={gain} /> },
    };
  }
  const parts = { before: <Value of={before.exp} />, after: <Value of={after.exp} /> };
  return { form: form(telling, "experience"), parts };
}

/** Created or deleted. */
export function lifecycle(telling: Telling): Said {
  const { entry } = telling;
  const character = stateOf(stateOf(entry.After ?? entry.Before).character);
  const kind = textAt(character, "class_id");
  const level = numberAt(character, "level");
  const isNew = entry.Kind === "players.create";
  const name = isNew ? (kind ? "createOf" : "create") : "delete";
  return {
    form: form(telling, name),
    parts: {
      level: level === undefined ? "?" : grouped(level),
      class: kind && <CatalogName part="classes" id={kind} />,
    },
  };
}

export function rename(telling: Telling): Said {
  const [before, after] = [stateOf(telling.entry.Before), stateOf(telling.entry.After)];
  const parts = { before: <Value of={before.name} />, after: <Value of={after.name} /> };
  const isAccount = telling.entry.Kind === "users.rename";
  return { form: form(telling, isAccount ? "renameUser" : "rename"), parts };
}

export function sheet(telling: Telling): Said {
  const { entry } = telling;
  const before = stateOf(stateOf(entry.Before).sheet);
  const after = stateOf(stateOf(entry.After).sheet);
  const [was, is] = [textAt(before, "class_id"), textAt(after, "class_id")];
  if (entry.Kind === "players.class" && was && is) {
    const parts = {
      before: <CatalogName part="classes" id={was} />,
      after: <CatalogName part="classes" id={is} />,
    };
    return { form: form(telling, "class"), parts };
  }
  const fields = [...new Set(Object.keys(after).map((field) => text.sheet[field] ?? field))];
  const words = fields.length > 0 ? fields : [text.something];
  return {
    form: form(telling, "sheet"),
    parts: { fields: <Listed values={words} and={text.and} /> },
  };
}

export function importPlayers(telling: Telling): Said {
  const after = stateOf(telling.entry.After);
  const counts = ["players", "users"].flatMap((table) => counted(table, stateOf(after[table])));
  return {
    form: form(telling, "importPlayers"),
    parts: { file: <Value of={after.file} />, counts: <Listed values={counts} and={text.and} /> },
  };
}

/** "3 characters added". */
export function counted(table: string, counts: Readonly<Record<string, unknown>>): string[] {
  const what = text.tables[table] ?? table;
  const ways = [
    ["added", text.added],
    ["changed", text.changed],
  ] as const;
  return ways.flatMap(([key, how]) => {
    const count = numberAt(counts, key);
    return count ? [text.counted(grouped(count), what, how)] : [];
  });
}
