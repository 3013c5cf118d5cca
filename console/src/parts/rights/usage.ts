import type { LimitsRecord, LimitUsage } from "@gamekeeper/client";
import type { LIMITS } from "./limits";
import { text } from "./text";

/** What a change counts against the limits of who makes it. */
export interface Charge {
  /** The items that it creates; what only moves does not count. */
  pieces?: { item: string; count: number }[];
  /** How many actions it undoes. */
  undos?: number;
}

/** A limit, and how much of it is used, this change included. */
interface Share {
  limit: (typeof LIMITS)[number];
  most: number;
  used: number;
  wanted: number;
}

/** The limits that a change counts against, in the order in which the service checks them. */
function shares(
  limits: LimitsRecord,
  usage: LimitUsage,
  { pieces = [], undos = 0 }: Charge,
  worthOf: (item: string) => number,
): Share[] {
  const counts = new Map<string, number>();
  for (const { item, count } of pieces) counts.set(item, (counts.get(item) ?? 0) + count);
  const handedOut = new Map(usage.HandedOut.map((one) => [one.ItemId, one.Pieces]));
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const worth = [...counts].reduce((sum, [item, count]) => sum + count * worthOf(item), 0);
  const wanted: [Share["limit"], number, number][] = [
    ["LargestGift", 0, all],
    ["UndosPerDay", usage.Undos, undos],
    ["ValuePerDay", usage.Value, worth],
    ...[...counts].map(([item, count]): [Share["limit"], number, number] => [
      "PiecesPerDay",
      handedOut.get(item) ?? 0,
      count,
    ]),
  ];
  return wanted.flatMap(([limit, used, amount]) => {
    const most = limits[limit];
    return most === null || amount === 0 ? [] : [{ limit, most, used, wanted: amount }];
  });
}

/** What a change means for one's limits: the one that it exceeds, or what is left of each. */
export function limitNotice(
  limits: LimitsRecord,
  usage: LimitUsage,
  charge: Charge,
  worthOf: (item: string) => number,
): { isBeyond: boolean; lines: string[] } {
  const counted = shares(limits, usage, charge, worthOf);
  const beyond = counted.find(({ most, used, wanted }) => used + wanted > most);
  if (beyond) {
    return { isBeyond: true, lines: [text.beyond[beyond.limit](beyond.most, beyond.used)] };
  }
  const lines = counted.map(({ limit, most, used }) =>
    text.left[limit](Math.max(0, most - used), most),
  );
  return { isBeyond: false, lines: [...new Set(lines)] };
}
