import { expect, test } from "vitest";
import { search, tabOf } from "./search";

const MODERATOR = ["sanctions.read", "reports.read", "logs.read"];

test("without a tab in the address, the first that the person may see is open", () => {
  expect(tabOf(search({}), MODERATOR)).toBe("reports");
  expect(tabOf(search({}), ["sanctions.read", "logs.read"])).toBe("sanctions");
  expect(tabOf(search({}), ["logs.read"])).toBe("chat");
  expect(tabOf(search({}), [])).toBe("sanctions");
});

test("a filter of sanctions opens them, and a tab is opened by its name", () => {
  expect(tabOf(search({ kind: "ban" }), MODERATOR)).toBe("sanctions");
  expect(tabOf(search({ tab: "templates" }), MODERATOR)).toBe("templates");
});
