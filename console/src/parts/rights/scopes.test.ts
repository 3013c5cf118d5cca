import { expect, test } from "vitest";
import { grouped, summary } from "./scopes";

test("scopes stand under headings, in the order of the list, and unknown ones last", () => {
  expect(grouped(["new.one", "users.query", "players.items", "players.read"])).toEqual([
    { title: "Characters", scopes: ["players.read", "players.items"] },
    { title: "Accounts", scopes: ["users.query"] },
    { title: "Other", scopes: ["new.one"] },
  ]);
});

test("a summary names the first ones and counts the others", () => {
  expect(summary(null)).toBe("Everything");
  expect(summary([])).toBe("Nothing");
  expect(summary(["users.query", "players.read"])).toBe("See characters, See accounts");
  expect(summary(["users.query", "actions.read", "players.read", "commands"])).toBe(
    "See characters, See accounts and 2 more",
  );
});
