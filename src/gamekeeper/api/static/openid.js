// The pages on which a player signs in for a website or a program, allows it to read data, or signs
// out. What leaves them is the name, the hash of the password, the code, and the answer.

import { sha256 } from "./sha256.js";
import { refusal as sentenceOf, say } from "./texts.js";

const REQUEST = location.search.slice(1);

const byId = (id) => document.getElementById(id);
const form = document.querySelector("form");

const PATHS = { "sign-in": "sign-in", decision: "decision", "sign-out": "sign-out" };

async function bodyOf(pressed) {
  switch (form.id) {
    case "sign-in":
      return {
        username: byId("username").value.trim(),
        password: await sha256(byId("password").value),
        code: byId("code").value.trim(),
        request: REQUEST,
      };
    case "decision":
      return { request: REQUEST, account: form.dataset.account, allow: pressed?.value === "allow" };
    default:
      return { request: REQUEST };
  }
}

// The fields that are still empty: the first of them gets the focus.
function missing() {
  return form.id === "sign-in" ? [byId("username"), byId("password")].find((input) => !input.value.trim()) : undefined;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const pressed = event.submitter;
  byId("refusal").textContent = "";
  const empty = missing();
  if (empty) {
    byId("refusal").textContent = say("openid.script.missing");
    empty.focus();
    return;
  }
  busy(true);
  const { next, fault, code } = await answerOf(await bodyOf(pressed));
  if (next) {
    // Not assign: the way back must not lead to a request that is done with.
    location.replace(next);
    return;
  }
  busy(false);
  byId("refusal").textContent = fault;
  if (code === "second_factor_required" || code === "wrong_code") {
    byId("factor").hidden = false;
    byId("code").value = "";
    byId("code").focus();
  }
});

function busy(yes) {
  for (const button of form.querySelectorAll("button")) {
    button.disabled = yes;
  }
  form.setAttribute("aria-busy", String(yes));
}

// The address that comes next, or the sentence that says why not.
async function answerOf(body) {
  try {
    const answer = await fetch(new URL(PATHS[form.id], import.meta.url), {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Gamekeeper": "1" },
      body: JSON.stringify(body),
      credentials: "same-origin",
      referrerPolicy: "no-referrer",
    });
    const told = await answer.json();
    return answer.ok ? told : { fault: sentenceOf(answer.status, told), code: told.Code };
  } catch {
    return { fault: say("problem.unreachable") };
  }
}

form.hidden = false;
(byId("username")?.value ? byId("password") : (byId("username") ?? form.querySelector("button"))).focus();
