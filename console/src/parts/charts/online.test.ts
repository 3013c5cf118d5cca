import type { OnlineHistory } from "@gamekeeper/client";
import { expect, test } from "vitest";
import { onlineChart, serverChart } from "./online";

const LABELS = { online: "Online", others: "Others", gone: "Gone" };

function history(servers: [string | null, number[]][]): OnlineHistory {
  const averages = servers.map(([, values]) => values);
  const count = averages[0]?.length ?? 0;
  return {
    Span: "minute",
    Values: Array.from({ length: count }, (_, index) => ({
      At: new Date(60_000 * index).toISOString(),
      Average: averages.reduce((sum, values) => sum + (values[index] ?? 0), 0),
      Lowest: 0,
      Highest: 0,
    })),
    Servers: servers.map(([id, Averages]) => ({ ServerId: id, ServerName: id, Averages })),
  };
}

test("the largest server is at the bottom, and points are drawn as their average", () => {
  const data = onlineChart(
    history([
      ["a", [1, 3, 5]],
      ["b", [10, 20, 30]],
    ]),
    2,
    LABELS,
  );
  expect(data.at).toEqual([0, 120_000]);
  expect(data.series.map(({ label, values }) => [label, values])).toEqual([
    ["b", [15, 30]],
    ["a", [2, 5]],
  ]);
});

test("the many small ones are one, with what the service has put together", () => {
  const many = "abcdefgh".split("").map((id): [string, number[]] => [id, [id.charCodeAt(0)]]);
  const data = onlineChart(history([...many, [null, [1]]]), 1, LABELS);
  expect(data.series).toHaveLength(7);
  expect(data.series.at(-1)).toMatchObject({ label: "Others", values: [97 + 98 + 1] });
});

test("one server alone is the whole game", () => {
  const data = onlineChart(history([["a", [4]]]), 1, LABELS);
  expect(data.series).toEqual([{ key: "online", label: "Online", values: [4] }]);
});

test("a server without a curve had nobody", () => {
  expect(serverChart(history([["a", [4, 4]]]), "z", 1, "Z").series[0]?.values).toEqual([0, 0]);
});

test("who played before servers were counted one by one is not lost, nor put anywhere", () => {
  const past = history([
    ["a", [0, 4]],
    ["b", [0, 2]],
  ]);
  past.Values[0] = { At: "1970-01-01T00:00:00Z", Average: 9, Lowest: 9, Highest: 9 };
  expect(onlineChart(past, 1, LABELS).series.at(-1)).toMatchObject({
    label: "Others",
    values: [9, 0],
  });
  expect(serverChart(past, "a", 1, "A").series[0]?.values).toEqual([null, 4]);
});
