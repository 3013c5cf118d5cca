import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { hashPassword } from "../dist/index.js";

test("a password is hashed as SHA-256 does it, at every length around a block", () => {
  const texts = ["", "correct horse", "pässwörd", "🗡️", "a".repeat(100_000)];
  for (let length = 50; length < 140; length++) texts.push("x".repeat(length));
  for (const text of texts) {
    assert.equal(hashPassword(text), createHash("sha256").update(text).digest("hex"));
  }
});
