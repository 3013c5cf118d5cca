import { expect, test } from "vitest";
import { type Event, Touched } from "./touched";

const NOBODY = { Actor: "key:1", PlayerId: null, UserId: null, ItemId: null };

function touchedBy(...events: Event[]): Touched {
  const touched = new Touched();
  for (const event of events) touched.add(event);
  return touched;
}

function read(path: string, parameters: Record<string, string> = {}) {
  return { queryKey: [path, { path: parameters }] };
}

test("a gift touches that character, by id or by name in any case, and no other", () => {
  const gift = { ...NOBODY, Kind: "items.give", PlayerId: "7f", PlayerName: "Ana Lyra" };
  const touched = touchedBy(gift);
  const bank = "/api/v1/players/{key}/items/bank";
  expect(touched.has(read(bank, { key: "7f" }))).toBe(true);
  expect(touched.has(read(bank, { key: "ana lyra" }))).toBe(true);
  expect(touched.has(read(bank, { key: "Ladokor" }))).toBe(false);
});

test("a gift touches the economy of its item, and of no other", () => {
  const touched = touchedBy({ ...NOBODY, Kind: "items.give", ItemId: "c5" });
  const path = "/api/v1/economy/items/{item_id}";
  expect(touched.has(read(path, { item_id: "c5" }))).toBe(true);
  expect(touched.has(read(path, { item_id: "c6" }))).toBe(false);
});

test("the log does not move by itself", () => {
  const touched = touchedBy({ ...NOBODY, Kind: "sanctions.impose", UserId: "u1" });
  expect(touched.has(read("/api/v1/actions"))).toBe(false);
  expect(touched.has(read("/api/v1/sanctions"))).toBe(true);
});

test("the overview is for what staff do, not for each thing that the game does", () => {
  const overview = read("/api/v1/overview");
  const gift = { ...NOBODY, Kind: "items.give" };
  expect(touchedBy(gift).has(overview)).toBe(false);
  expect(touchedBy({ ...gift, Actor: "user:1" }).has(overview)).toBe(true);
  expect(touchedBy({ ...NOBODY, Kind: "servers.stop" }).has(overview)).toBe(true);
});

test("a campaign that starts is the run of a schedule, which changes with it", () => {
  const started = touchedBy({ ...NOBODY, Kind: "campaigns.start" });
  expect(started.has(read("/api/v1/schedules/{schedule_id}/runs"))).toBe(true);
});

test("what was not read from the API is never touched", () => {
  const touched = touchedBy({ ...NOBODY, Kind: "catalog.import" });
  expect(touched.has({ queryKey: [{ own: true }] })).toBe(false);
  expect(touchedBy().isEmpty).toBe(true);
});
