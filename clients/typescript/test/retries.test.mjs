import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf, noAnswer } from "../dist/errors.js";
import { backoff, persist } from "../dist/retries.js";

const PATIENCE = { retries: 3, deadline: 30_000, timeout: 10_000 };

function refusal(status, Code, headers = {}) {
  return errorOf(Response.json({ Message: "", Code, RequestId: "" }, { status, headers }));
}

/** How many attempts there were, of which all that have an error fail. */
async function attempts(errors, options = {}) {
  let made = 0;
  const attempt = async () => {
    const error = errors[made];
    made += 1;
    if (error) throw error;
    return "done";
  };
  try {
    const result = await persist(attempt, { ...PATIENCE, ...options });
    return [made, result];
  } catch (error) {
    return [made, error];
  }
}

test("what may pass is tried again, as often as it may be", async () => {
  const passing = [
    noAnswer(null),
    await refusal(503, "unavailable"),
    await refusal(409, "still_running"),
  ];
  assert.deepEqual(await attempts(passing), [4, "done"]);
  assert.deepEqual(await attempts(passing, { retries: 1 }), [2, passing[1]]);
  const gateway = await errorOf(new Response("<html>", { status: 502 }));
  assert.deepEqual(await attempts([gateway]), [2, "done"]);
});

test("what does not pass is told at once", async () => {
  for (const [status, code] of [
    [400, "invalid_body"],
    [409, "inventory_full"],
    [500, "internal_error"],
    [504, "not_answered"],
    [202, "approval_required"],
  ]) {
    const error = await refusal(status, code);
    assert.deepEqual(await attempts([error]), [1, error]);
  }
  const mistake = new TypeError("Invalid URL");
  assert.deepEqual(await attempts([mistake]), [1, mistake]);
});

test("the service says how long to wait", async () => {
  const begun = performance.now();
  const asked = await refusal(429, "too_many_requests", { "Retry-After": "1" });
  assert.deepEqual(await attempts([asked]), [2, "done"]);
  assert.ok(performance.now() - begun >= 999);
});

test("nobody waits for what comes after the deadline", async () => {
  const begun = performance.now();
  const later = await refusal(503, "unavailable", { "Retry-After": "60" });
  assert.deepEqual(await attempts([later]), [1, later]);
  assert.ok(performance.now() - begun < 5000);
});

test("an attempt that takes too long is ended, and made again", async () => {
  let made = 0;
  const attempt = (signal) => {
    made += 1;
    if (made > 1) return Promise.resolve("done");
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(noAnswer(signal.reason)));
    });
  };
  assert.equal(await persist(attempt, { ...PATIENCE, timeout: 50 }), "done");
});

test("who leaves during a pause is not kept", async () => {
  const controller = new AbortController();
  const later = await refusal(503, "unavailable", { "Retry-After": "20" });
  setTimeout(() => controller.abort(new Error("enough")), 50);
  const begun = performance.now();
  const [made, error] = await attempts([later], { signal: controller.signal });
  assert.deepEqual([made, error.message], [1, "enough"]);
  assert.ok(performance.now() - begun < 5000);
});

test("pauses grow, are never the same, and have an end", () => {
  for (const [made, most] of [
    [0, 200],
    [3, 1600],
    [1000, 5000],
  ]) {
    const pauses = Array.from({ length: 200 }, () => backoff(made, null));
    assert.ok(pauses.every((pause) => pause >= 0 && pause <= most));
    assert.ok(Math.max(...pauses) > most / 2);
    assert.ok(new Set(pauses).size > 100);
  }
});
