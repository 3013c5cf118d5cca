// The page behind the link in a verification mail. Programs that scan mails open the link, and some
// run its script: so nothing is sent before somebody presses the button.

import { CODE, keepTidy, tidied } from "./code.js";
import { refusal as sentenceOf, say } from "./texts.js";

const COMPLETE = new URL("../api/v1/users/email/verification/complete", import.meta.url);

const byId = (id) => document.getElementById(id);
const [form, mailed, refusal, send] = [byId("form"), byId("mailed"), byId("refusal"), byId("send")];
const [username, code] = [byId("username"), byId("code")];

let token = null;

// The token is taken out of the address bar at once, as on the page of resets.
function takeToken() {
  const found = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!found) {
    return;
  }
  token = found;
  history.replaceState(null, "", location.pathname + location.search);
  mailed.hidden = mailed.disabled = true;
}

function faultOf(input) {
  if (input === username) {
    return username.value.trim() ? "" : say("verify.username_missing");
  }
  return CODE.test(tidied(code.value)) ? "" : say("verify.code_wrong");
}

function mark(input, fault) {
  byId(`${input.id}-fault`).textContent = fault;
  input.setAttribute("aria-invalid", String(Boolean(fault)));
}

function everythingIsFine() {
  const wrong = (token ? [] : [username, code]).filter((input) => {
    mark(input, faultOf(input));
    return faultOf(input);
  });
  wrong[0]?.focus();
  return wrong.length === 0;
}

for (const input of [username, code]) {
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

keepTidy(code);

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
  send.textContent = say(yes ? "common.wait" : "verify.send");
  form.setAttribute("aria-busy", String(yes));
}

// Nothing if the address was verified, else the sentence that says why not.
async function complete() {
  const proof = token ? { token } : { username: username.value.trim(), code: tidied(code.value) };
  try {
    const answer = await fetch(COMPLETE, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(proof),
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
form.hidden = false;
(token ? send : username).focus();
