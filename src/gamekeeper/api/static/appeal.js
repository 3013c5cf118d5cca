// The page on which a player reads a sanction by its code, appeals, and reads the answer.
// What leaves it is the code, and the text that was typed.

import { CODE, keepTidy, tidied } from "./code.js";

const APPEALS = new URL("../api/v1/appeals", import.meta.url);
const STATUS = new URL("../api/v1/appeals/status", import.meta.url);
const LONGEST = 4000;
const COUNTED = 500;
const FRAGMENT = /^#[0-9A-Z]{4}-?[0-9A-Z]{4}$/i;

const byId = (id) => document.getElementById(id);
const [find, code] = [byId("find"), byId("code")];
const [appeal, text] = [byId("appeal"), byId("text")];

// ── Words ──

const DOES = { ban: "is banned", mute: "is muted", trade_lock: "may not trade", warning: "was warned" };
const NAMES = { ban: "ban", mute: "mute", trade_lock: "trade lock", warning: "warning" };
const TIMES = { 1: "once", 2: "twice" };
const VERDICTS = {
  open: "Waiting for an answer",
  lifted: "The decision was lifted",
  kept: "The decision stands",
  closed: "Closed: it was over before we decided",
};
const DAY = { day: "numeric", month: "long", year: "numeric" };
const MINUTE = { ...DAY, hour: "2-digit", minute: "2-digit", timeZoneName: "short" };

function spoken(instant, precision = MINUTE) {
  return new Intl.DateTimeFormat("en-GB", precision).format(new Date(instant)).replace(" at ", ", ");
}

function titleOf(sanction) {
  const whose = `your ${sanction.Target}`;
  switch (sanction.State) {
    case "lifted":
      return `The ${NAMES[sanction.Kind]} of ${whose} was lifted`;
    case "ended":
      return `The ${NAMES[sanction.Kind]} of ${whose} is over`;
    default:
      return `${whose[0].toUpperCase()}${whose.slice(1)} ${DOES[sanction.Kind]}`;
  }
}

function periodOf(sanction) {
  if (sanction.State === "lifted" || sanction.State === "ended") {
    return "It no longer applies.";
  }
  const start = spoken(sanction.StartsAt);
  // A warning happened; it does not last.
  if (sanction.Kind === "warning") {
    return `on ${start}`;
  }
  const end = sanction.Until ? `until ${spoken(sanction.Until)}` : "without end";
  return `${sanction.State === "scheduled" ? "from" : "since"} ${start}, ${end}`;
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
  byId("text-label").textContent = sanction.Appeals.length ? "Appeal again" : "What should we know?";
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
  entry.append(paragraph("verdict", VERDICTS[one.State]));
  const decided = one.DecidedAt ? `, answered on ${spoken(one.DecidedAt, DAY)}` : "";
  entry.append(paragraph("when", `Appealed on ${spoken(one.OpenedAt, DAY)}${decided}`));
  if (one.Answer) {
    entry.append(paragraph("answer", one.Answer));
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
  const more = TIMES[appeal.dataset.left - 1];
  const often = more ? `If we keep the decision, you can appeal ${more} more.` : "This is the last appeal.";
  byId("text-hint").textContent = left <= COUNTED ? `${left} characters left.` : `Only our staff reads it. ${often}`;
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
    return CODE.test(tidied(code.value)) ? "" : "A code has 8 letters and digits.";
  }
  return text.value.trim() ? "" : "Tell us why we should look again.";
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

// A fault goes away as soon as it is mended.
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
  button.textContent = yes ? "One moment…" : button.dataset.label;
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
    return answer.ok ? { sanction: told } : { fault: told.Message };
  } catch {
    return { fault: "The server cannot be reached. Try again in a moment." };
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
