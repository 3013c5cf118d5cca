// The page on which a player reads a sanction by its code, appeals, and reads the answer.
// What leaves it is the code, and the text that was typed.

import { CODE, keepTidy, tidied } from "./code.js";
import { LOCALE, refusal as sentenceOf, say } from "./texts.js";

const APPEALS = new URL("../api/v1/appeals", import.meta.url);
const STATUS = new URL("../api/v1/appeals/status", import.meta.url);
const LONGEST = 4000;
const COUNTED = 500;
const FRAGMENT = /^#[0-9A-Z]{4}-?[0-9A-Z]{4}$/i;

const byId = (id) => document.getElementById(id);
const [find, code] = [byId("find"), byId("code")];
const [appeal, text] = [byId("appeal"), byId("text")];

// ── Words ──

const DAY = { day: "numeric", month: "long", year: "numeric" };
const MINUTE = { ...DAY, hour: "2-digit", minute: "2-digit", timeZoneName: "short" };

function spoken(instant, precision = MINUTE) {
  return new Intl.DateTimeFormat(LOCALE, precision).format(new Date(instant)).replace(" at ", ", ");
}

// One text for each case: languages agree words in gender and case, so parts cannot be joined.
function titleOf({ Kind, Target, State }) {
  const state = State === "lifted" || State === "ended" ? State : "in_force";
  return say(`appeal.title.${Kind}.${Target}.${state}`);
}

function periodOf(sanction) {
  if (sanction.State === "lifted" || sanction.State === "ended") {
    return say("appeal.period.over");
  }
  const start = spoken(sanction.StartsAt);
  // A warning happened; it does not last.
  if (sanction.Kind === "warning") {
    return say("appeal.period.on", { start });
  }
  const isScheduled = sanction.State === "scheduled";
  if (!sanction.Until) {
    return say(isScheduled ? "appeal.period.permanent_from" : "appeal.period.permanent_since", { start });
  }
  const end = spoken(sanction.Until);
  return say(isScheduled ? "appeal.period.from_until" : "appeal.period.since_until", { start, end });
}

// ── Showing ──

function show(sanction) {
  byId("title").textContent = titleOf(sanction);
  byId("period").textContent = periodOf(sanction);
  byId("message").hidden = !sanction.Message;
  byId("message-text").textContent = sanction.Message;
  byId("shown-code").textContent = code.value = sanction.Code;
  byId("appeals").replaceChildren(...sanction.Appeals.map(entryOf));
  byId("return").hidden = !sanction.Appeals.some((one) => one.State === "open");
  byId("text-label").textContent = say(sanction.Appeals.length ? "appeal.text_again" : "appeal.text");
  appeal.hidden = !sanction.MayAppeal;
  appeal.dataset.left = sanction.AppealsLeft;
  hint();
  byId("ask").hidden = true;
  byId("shown").hidden = false;
  byId("title").focus();
  // A fragment is sent to no server. With it, whoever comes back need not type the code again.
  history.replaceState(null, "", `#${sanction.Code}`);
}

function entryOf(one) {
  const entry = document.createElement("li");
  entry.className = one.State;
  entry.append(paragraph("verdict", say(`appeal.verdict.${one.State}`)));
  const opened = spoken(one.OpenedAt, DAY);
  const when = one.DecidedAt
    ? say("appeal.answered", { opened, decided: spoken(one.DecidedAt, DAY) })
    : say("appeal.opened", { opened });
  entry.append(paragraph("when", when));
  if (one.Answer) {
    const answer = paragraph("answer", one.Answer);
    answer.dir = "auto";
    entry.append(answer);
  }
  return entry;
}

function paragraph(kind, content) {
  const made = document.createElement("p");
  made.className = kind;
  made.textContent = content;
  return made;
}

// How much may still be typed, once that matters; before, how often one may appeal.
function hint() {
  const left = LONGEST - text.value.length;
  const more = appeal.dataset.left - 1;
  const often = more > 0 ? say("appeal.appeals_left", { count: more }) : say("appeal.last_appeal");
  byId("text-hint").textContent = left <= COUNTED ? say("appeal.characters_left", { count: left }) : often;
}

function ask() {
  byId("shown").hidden = true;
  byId("ask").hidden = false;
}

byId("another").addEventListener("click", () => {
  history.replaceState(null, "", location.pathname + location.search);
  find.reset();
  appeal.reset();
  mark(text, "");
  byId("appeal-refusal").textContent = "";
  ask();
  code.focus();
});

// ── Faults ──

function faultOf(input) {
  if (input === code) {
    return CODE.test(tidied(code.value)) ? "" : say("appeal.code_wrong");
  }
  return text.value.trim() ? "" : say("appeal.text_missing");
}

function mark(input, fault) {
  byId(`${input.id}-fault`).textContent = fault;
  input.setAttribute("aria-invalid", String(Boolean(fault)));
}

function isFine(input) {
  const fault = faultOf(input);
  mark(input, fault);
  if (fault) {
    input.focus();
  }
  return !fault;
}

// A fault disappears as soon as the value is right.
for (const input of [code, text]) {
  input.addEventListener("input", () => {
    if (!faultOf(input)) {
      mark(input, "");
    }
  });
}
text.addEventListener("input", hint);
keepTidy(code);

// ── Sending ──

find.addEventListener("submit", (event) => {
  event.preventDefault();
  if (isFine(code)) {
    send(find, STATUS, { code: tidied(code.value) });
  }
});

appeal.addEventListener("submit", (event) => {
  event.preventDefault();
  if (isFine(text)) {
    send(appeal, APPEALS, { code: code.value, text: text.value });
  }
});

async function send(form, address, body) {
  const [button, refusal] = [byId(`${form.id}-send`), byId(`${form.id}-refusal`)];
  if (button.disabled) {
    return;
  }
  refusal.textContent = "";
  busy(form, button, true);
  const { sanction, fault } = await answerOf(address, body);
  busy(form, button, false);
  if (sanction) {
    form.reset();
    show(sanction);
  } else {
    refusal.textContent = fault;
  }
}

function busy(form, button, yes) {
  button.dataset.label ??= button.textContent;
  button.disabled = yes;
  button.textContent = yes ? say("common.wait") : button.dataset.label;
  form.setAttribute("aria-busy", String(yes));
}

// The sanction as it is now, or the sentence that says why not.
async function answerOf(address, body) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      credentials: "omit",
      referrerPolicy: "no-referrer",
    });
    const told = await answer.json();
    return answer.ok ? { sanction: told } : { fault: sentenceOf(answer.status, told) };
  } catch {
    return { fault: say("problem.unreachable") };
  }
}

// ── The code of the address ──

function takeCode() {
  const found = FRAGMENT.test(location.hash) ? tidied(location.hash) : "";
  find.hidden = false;
  if (found && found !== byId("shown-code").textContent) {
    ask();
    code.value = found;
    find.requestSubmit();
  } else if (byId("shown").hidden) {
    code.focus();
  }
}

addEventListener("hashchange", takeCode);
takeCode();
