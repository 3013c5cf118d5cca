import { Link } from "@tanstack/react-router";
import { duration } from "~/format";
import { text as cases } from "~/parts/cases/text";
import { text as chat } from "~/parts/chat/text";
import classes from "../actions.module.css";
import { numberAt, stateOf, textAt } from "../read";
import { text } from "../text";
import { type Form, form, type Said, type Telling } from "./said";
import { sentences } from "./text";

export function impose(telling: Telling): Said {
  const after = stateOf(telling.entry.After);
  const kind = textAt(after, "kind") ?? "other";
  const forms = telling.isHere ? sentences.sanctionsHere : sentences.sanctions;
  const code = textAt(after, "code");
  return {
    form: `${forms[kind] ?? forms.other}${code ? " {code}" : ""}`,
    quote: textAt(after, "message"),
    parts: {
      until: lasting(textAt(after, "starts_at"), textAt(after, "ends_at")),
      code: code && <Code code={code} />,
    },
  };
}

export function lift(telling: Telling): Said {
  const about = stateOf(telling.entry.After ?? telling.entry.Before);
  const code = textAt(about, "code");
  return {
    form: `${form(telling, "lift")}${code ? " {code}" : ""}`,
    parts: { sanction: sanctionOf(about), code: code && <Code code={code} /> },
  };
}

export function accessBan(telling: Telling): Said {
  const { Before, After, Kind } = telling.entry;
  const about = stateOf(After ?? Before);
  const imposed: Form = textAt(about, "target") === "device" ? "accessDevice" : "accessRange";
  return {
    form: form(telling, Kind === "access_bans.lift" ? "accessLift" : imposed),
    quote: textAt(about, "message"),
    parts: { code: <span className={classes.value}>{textAt(about, "code")}</span> },
  };
}

export function appeal(telling: Telling): Said {
  const after = stateOf(telling.entry.After);
  const decided = after.lifted === true ? "appealLifted" : "appealKept";
  const name = telling.entry.Kind === "appeals.open" ? "appeal" : decided;
  return { form: form(telling, name), parts: { sanction: sanctionOf(after) } };
}

export function template(telling: Telling): Said {
  const { Before, After, Kind } = telling.entry;
  const made: Form = Before === null ? "templateNew" : "templateChange";
  const name = textAt(stateOf(After ?? Before), "template") ?? text.something;
  return {
    form: form(telling, Kind === "templates.remove" ? "templateRemove" : made),
    parts: { name: <span className={classes.value}>{name}</span> },
  };
}

export function command(telling: Telling): Said {
  const after = stateOf(telling.entry.After);
  const payload = stateOf(after.payload);
  const forms: Record<string, Form> = {
    kick: "kick",
    kill: "kill",
    warp: "warp",
    message: "message",
  };
  const said = textAt(payload, "Text") ?? textAt(payload, "text");
  return { form: form(telling, forms[textAt(after, "kind") ?? ""] ?? "custom"), quote: said };
}

export function chatRead(telling: Telling): Said {
  const { PlayerId, UserId } = telling.entry;
  return { form: form(telling, PlayerId || UserId ? "chatReadOf" : "chatRead") };
}

const CASE_FORMS: Readonly<Record<string, Form>> = {
  "reports.file": "report",
  "cases.claim": "caseClaim",
  "cases.release": "caseRelease",
  "cases.note": "caseNote",
  "cases.evidence": "caseEvidence",
  "cases.close": "caseClose",
  "cases.reopen": "caseReopen",
};

export function caseWork(telling: Telling): Said {
  const after = stateOf(telling.entry.After);
  const id = textAt(after, "case_id");
  const outcome = textAt(after, "outcome") as keyof typeof cases.outcomes | undefined;
  const category = textAt(after, "category") as keyof typeof cases.categories | undefined;
  return {
    form: form(telling, CASE_FORMS[telling.entry.Kind] ?? "unknownTo"),
    parts: {
      case: id ? (
        <Link to="/cases/$case" params={{ case: id }} className={classes.value}>
          {sentences.theCase}
        </Link>
      ) : (
        sentences.theCase
      ),
      outcome: ((outcome && cases.outcomes[outcome]) ?? text.something).toLowerCase(),
      messages: chat.count(numberAt(after, "added") ?? 0),
      category: ((category && cases.categories[category]) ?? text.something).toLowerCase(),
    },
  };
}

/** What a player quotes; a link to the sanction itself. */
function Code({ code }: { code: string }) {
  const search: { search?: string; code: string } = { code };
  return (
    <Link to="/moderation" search={search} className={classes.code}>
      {code}
    </Link>
  );
}

function sanctionOf(state: ReturnType<typeof stateOf>): string {
  const kind = textAt(state, "kind") ?? "";
  return text.sanctionKinds[kind] ?? text.something;
}

function lasting(from: string | undefined, to: string | undefined): string {
  if (!to) return text.forGood;
  if (!from) return "";
  return text.forTime(duration((Date.parse(to) - Date.parse(from)) / 1000));
}
