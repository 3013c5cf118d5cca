// The page behind the link in the mail. The only thing that leaves it is one POST,
// with the hash of the new password.

import { CODE, keepTidy, tidied } from "./code.js";
import { sha256 } from "./sha256.js";
import { refusal as sentenceOf, say } from "./texts.js";

const COMPLETE = new URL("../api/v1/users/password/reset/complete", import.meta.url);
const SHORTEST = 8;

const byId = (id) => document.getElementById(id);
const [form, mailed, refusal] = [byId("form"), byId("mailed"), byId("refusal")];
const [username, code] = [byId("username"), byId("code")];
const [password, again] = [byId("password"), byId("again")];
const [show, send] = [byId("show"), byId("send")];

let token = null;

// The token is taken out of the address bar at once: nobody should read it over a
// shoulder, find it in the history or copy it with the address.
function takeToken() {
  const found = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!found) {
    return;
  }
  token = found;
  history.replaceState(null, "", location.pathname + location.search);
  mailed.hidden = mailed.disabled = true;
}

// ── Faults ──

function faultOf(input) {
  switch (input) {
    case username:
      return username.value.trim() ? "" : say("reset.username_missing");
    case code:
      return CODE.test(tidied(code.value)) ? "" : say("reset.code_wrong");
    case password:
      return [...password.value].length >= SHORTEST ? "" : say("reset.password_short", { count: SHORTEST });
    case again:
      return again.value === password.value ? "" : say("reset.again_differs");
  }
}

function mark(input, fault) {
  byId(`${input.id}-fault`).textContent = fault;
  input.setAttribute("aria-invalid", String(Boolean(fault)));
}

function asked() {
  return token ? [password, again] : [username, code, password, again];
}

function everythingIsFine() {
  const wrong = asked().filter((input) => {
    mark(input, faultOf(input));
    return faultOf(input);
  });
  wrong[0]?.focus();
  return wrong.length === 0;
}

// ── While typing ──

// A fault is shown when a field loses focus, and disappears as soon as the value is right.
for (const input of [username, code, password, again]) {
  input.addEventListener("change", () => {
    // The fault would move the button away from under the mouse, and the click would miss it.
    if (!send.matches(":active")) {
      mark(input, input.value && faultOf(input));
    }
  });
  input.addEventListener("input", () => {
    if (!faultOf(input)) {
      mark(input, "");
    }
  });
}

password.addEventListener("input", () => {
  if (again.value) {
    mark(again, faultOf(again));
  }
});

keepTidy(code);

show.addEventListener("click", () => {
  const hidden = password.type === "password";
  password.type = again.type = hidden ? "text" : "password";
  show.textContent = say(hidden ? "reset.hide" : "reset.show");
  show.setAttribute("aria-label", say(hidden ? "reset.hide_passwords" : "reset.show_passwords"));
});

// ── Sending ──

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  refusal.textContent = "";
  if (send.disabled || !everythingIsFine()) {
    return;
  }
  busy(true);
  const message = await complete();
  busy(false);
  if (message) {
    refusal.textContent = message;
  } else {
    finish();
  }
});

function busy(yes) {
  send.disabled = yes;
  send.textContent = say(yes ? "common.wait" : "reset.send");
  form.setAttribute("aria-busy", String(yes));
}

// Nothing if the password was changed, else the sentence that says why not.
async function complete() {
  const proof = token ? { token } : { username: username.value.trim(), code: tidied(code.value) };
  try {
    const answer = await fetch(COMPLETE, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...proof, new: await sha256(password.value) }),
      credentials: "omit",
      referrerPolicy: "no-referrer",
    });
    return answer.ok ? "" : sentenceOf(answer.status, await answer.json());
  } catch {
    return say("problem.unreachable");
  }
}

function finish() {
  form.reset();
  token = null;
  byId("ask").hidden = true;
  byId("done").hidden = false;
  byId("done-title").focus();
}

addEventListener("hashchange", takeToken);
takeToken();
byId("password-hint").textContent = say("reset.password_hint", { count: SHORTEST });
form.hidden = false;
asked()[0].focus();
