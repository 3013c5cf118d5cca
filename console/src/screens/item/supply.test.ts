import { expect, test } from "vitest";
import { daysUntil, flowChart, makersOf, spikesOf, supplyCurve } from "./supply";

const DAYS = daysUntil(new Date("2026-03-14T23:59:00Z"), 6);

function flow(day: number, Came: number, Went = 0, Source = "grant") {
  return { Day: `2026-03-${String(day).padStart(2, "0")}`, Source, Came, Went };
}

test("days are those of UTC, with today", () => {
  expect(DAYS[0]).toBe("2026-03-09");
  expect(DAYS.at(-1)).toBe("2026-03-14");
});

test("the curve ends with what there is, and goes back by what came and went", () => {
  const data = supplyCurve(100, [flow(14, 30), flow(12, 0, 10)], DAYS, "Exist");
  expect(data.series[0]?.values).toEqual([80, 80, 80, 70, 70, 100]);
});

test("trades between players neither come nor go", () => {
  const labels = { came: (source: string) => source, went: (source: string) => `-${source}` };
  const data = flowChart([flow(14, 5, 5, "move"), flow(14, 3, 2, "undo")], DAYS, labels);
  expect(data.series.map(({ label, values }) => [label, values.at(-1)])).toEqual([
    ["undo", 3],
    ["-undo", -2],
  ]);
});

test("a day stands out against the others", () => {
  const usual = [9, 10, 11, 13, 14].map((day) => flow(day, 20));
  expect(spikesOf([...usual, flow(12, 100)], DAYS)).toMatchObject([
    { day: "2026-03-12", came: 100, times: 5 },
  ]);
  expect(spikesOf([...usual, flow(12, 79)], DAYS)).toEqual([]);
});

test("neither the first day of an item nor a loaded world is a spike", () => {
  expect(spikesOf([flow(13, 500), flow(14, 20)], DAYS)).toEqual([]);
  const usual = [9, 10, 11, 13, 14].map((day) => flow(day, 20));
  expect(spikesOf([...usual, flow(12, 9000, 0, "import")], DAYS)).toEqual([]);
});

test("those to whom most came are first", () => {
  const to = (PlayerId: string, Quantity: number, Source = "grant") => ({
    At: "2026-03-14T10:00:00Z",
    PlayerId,
    PlayerName: PlayerId.toUpperCase(),
    ActionId: "1",
    Kind: null,
    Quantity,
    Source,
  });
  const makers = makersOf([to("a", 5), to("b", 40, "move"), to("c", 6), to("a", 3), to("c", -6)]);
  expect(makers.map(({ name, came }) => [name, came])).toEqual([
    ["A", 8],
    ["C", 6],
  ]);
});
