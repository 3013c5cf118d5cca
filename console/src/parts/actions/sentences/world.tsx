import { Link } from "@tanstack/react-router";
import { When } from "~/parts/When";
import { ActionPhrase } from "../ActionSentence";
import classes from "../actions.module.css";
import { CatalogName, ServerName } from "../CatalogName";
import { flowsOf } from "../flows";
import { inWords, kindLabel } from "../kinds";
import { Listed } from "../Phrase";
import { Pieces, PiecesList } from "../Pieces";
import { numberAt, stateOf, statesAt, textAt } from "../read";
import { text } from "../text";
import { Value } from "../Value";
import { counted } from "./characters";
import { type Form, form, type Said, type Telling } from "./said";

export function server(telling: Telling): Said {
  const id = textAt(stateOf(telling.entry.After), "server_id");
  const isStop = telling.entry.Kind === "servers.stop";
  return {
    form: form(telling, isStop ? "stopServer" : "registerServer"),
    parts: { server: id ? <ServerName id={id} /> : text.something },
  };
}

export function catalog(telling: Telling): Said {
  const after = stateOf(telling.entry.After);
  const counts = Object.keys(after).flatMap((table) => {
    const entries = statesAt(after, table);
    const added = entries.filter((entry) => entry.added === true).length;
    return counted(table, { added, changed: entries.length - added });
  });
  return {
    form: form(telling, "catalog"),
    parts: { counts: <Listed values={counts} and={text.and} /> },
  };
}

/** What the command line did to the whole world. */
export function system(telling: Telling): Said {
  const after = stateOf(telling.entry.After);
  const when = textAt(after, "before") ?? textAt(after, "made_at");
  const forms: Record<string, Form> = {
    "demo.fill": "demo",
    "ledger.drop": "drop",
    "ledger.verify": "verifyLedger",
    "database.backup": "takeBackup",
    "database.restore": "restoreBackup",
  };
  return {
    form: form(telling, forms[telling.entry.Kind] ?? "open"),
    parts: {
      count: <Value of={numberAt(after, "players") ?? 0} />,
      when: when ? <When at={when} span /> : text.something,
    },
  };
}

export function undo(telling: Telling): Said {
  const { entry, known, about } = telling;
  const undone = entry.Undoes ? known?.get(entry.Undoes) : undefined;
  if (undone) {
    const what = <ActionPhrase entry={undone} about={about} />;
    return { form: form(telling, "undo"), parts: { what } };
  }
  const flows = flowsOf(entry);
  const gained = flows.filter((flow) => flow.quantity > 0);
  const lost = flows.filter((flow) => flow.quantity < 0);
  const some: Form = entry.PlayerId || entry.UserId ? "undoSome" : "undoPlain";
  const moved: Form = lost.length > 0 ? "undoBoth" : "undoBack";
  const name: Form = gained.length > 0 ? moved : lost.length > 0 ? "undoGone" : some;
  return {
    form: form(telling, name),
    parts: {
      gained: <PiecesList flows={gained} />,
      lost: <PiecesList flows={lost} />,
      link: entry.Undoes && (
        <Link to="/actions" search={{ id: entry.Undoes }} className={classes.name}>
          {text.anAction}
        </Link>
      ),
    },
  };
}

/** What somebody with limits asked for, and what became of it. */
export function approval(telling: Telling): Said {
  const about = stateOf(telling.entry.After ?? telling.entry.Before);
  const change = stateOf(about.change);
  const kind = textAt(about, "kind") ?? "";
  const item = textAt(change, "item_id");
  const quantity = numberAt(change, "quantity");
  const forms: Record<string, Form> = {
    "approvals.request": "request",
    "approvals.approve": "approve",
  };
  const what = (
    <>
      {text.approvals[kind] ?? kindLabel(kind)}{" "}
      {item && <Pieces item={item} {...(quantity && { quantity })} />}
    </>
  );
  return { form: form(telling, forms[telling.entry.Kind] ?? "reject"), parts: { what } };
}

/** A kind that this console does not know yet: the words of its name, and what it was done to. */
export function unknown(telling: Telling): Said {
  const { entry } = telling;
  const spell = textAt(stateOf(entry.After), "spell_id");
  return {
    form: form(telling, entry.PlayerId || entry.UserId ? "unknownTo" : "unknown"),
    parts: {
      what: (
        <>
          {inWords(entry.Kind)}{" "}
          {entry.ItemId && <Pieces item={entry.ItemId} name={entry.ItemName ?? undefined} />}
          {spell && <CatalogName part="spells" id={spell} />}
        </>
      ),
    },
  };
}
