import { expect, test } from "vitest";
import { factsOf } from "~/parts/actions/kinds";
import { perHour } from "./families";
import { text } from "./text";

test("a kind that was never heard of is counted too", () => {
  expect(factsOf("items.exchange").series).toBe("moves");
  expect(factsOf("items.give").series).toBe("gifts");
  expect(factsOf("weather.change").series).toBe("other");
});

test("hours in which nothing was done are there, and kinds of a family are added up", () => {
  const hours = {
    Since: "2026-03-14T10:00:00Z",
    Values: [
      { Hour: "2026-03-14T10:00:00Z", Kind: "items.give", Count: 2 },
      { Hour: "2026-03-14T10:00:00Z", Kind: "items.take", Count: 3 },
      { Hour: "2026-03-14T12:00:00Z", Kind: "undo", Count: 1 },
    ],
  };
  const data = perHour(hours, new Date("2026-03-14T12:20:00Z"), text.families);
  expect(data.at).toHaveLength(3);
  expect(data.series.map(({ key, values }) => [key, values])).toEqual([
    ["gifts", [5, 0, 0]],
    ["undo", [0, 0, 1]],
  ]);
});
