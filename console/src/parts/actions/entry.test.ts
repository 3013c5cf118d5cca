import { expect, test } from "vitest";
import { isShared } from "./entry";

const whole = { transaction: "t" };

test("items that moved are undone with their transaction", () => {
  for (const Kind of ["items.move", "mail.claim", "mail.withdraw", "mail.expire"])
    expect(isShared({ Kind, Before: null, After: whole })).toBe(true);
  expect(isShared({ Kind: "mail.send", Before: null, After: { ...whole, sender: "player" } })).toBe(
    true,
  );
});

test("new items, and items that were removed, are undone alone", () => {
  expect(isShared({ Kind: "mail.send", Before: null, After: { ...whole, sender: "key" } })).toBe(
    false,
  );
  expect(isShared({ Kind: "mail.withdraw", Before: null, After: {} })).toBe(false);
});
