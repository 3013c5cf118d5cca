import { expect, test } from "vitest";
import { plural } from "./plural";

const FORMS = { one: "# action", other: "# actions" };

test.each([
  [0, "0 actions"],
  [1, "1 action"],
  [2, "2 actions"],
  [1204, "1,204 actions"],
])("%i has its form, with the number grouped", (count, said) => {
  expect(plural(count, FORMS)).toBe(said);
});

test("only the first # is the number: the second may be part of a name", () => {
  expect(plural(3, { other: "Restored # items to Rock#1" })).toBe("Restored 3 items to Rock#1");
});
