import { expect, test } from "vitest";
import { chatSearch, filterOf } from "./filter";

test("the address of a player's chat is a filter of that player", () => {
  const address = chatSearch({ channel: "global", said: "gold", moment: "2026-03-14T18:00:00Z" });
  expect(filterOf({ player: "p1" }, address)).toEqual({
    player: "p1",
    channel: "global",
    search: "gold",
    at: "2026-03-14T18:00:00Z",
  });
});

test("around a message everyone on its server is shown", () => {
  expect(filterOf({ player: "p1" }, { server: "s1", moment: "2026-03-14T18:00:00Z" })).toEqual({
    server: "s1",
    at: "2026-03-14T18:00:00Z",
  });
});

test("what makes no sense in an address is left out", () => {
  expect(filterOf({}, chatSearch({ channel: "shout", said: "a", moment: "soon" }))).toEqual({});
});
