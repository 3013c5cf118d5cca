import type { AuditLogEntry, Order, OrderLine } from "@gamekeeper/client";
import { stateOf, textAt } from "~/parts/actions/read";
import { text } from "./text";

/** Something that happened to an order, or to one of its lines. */
export interface Moment {
  /** Null: not known. */
  at: string | null;
  what: string;
  line?: number;
  by?: string;
  tone: "plain" | "good" | "bad";
}

/** All that happened to an order, oldest first; what has no time comes last. */
export function storyOf(order: Order, disputes: AuditLogEntry[]): Moment[] {
  const words = text.story;
  const moments: Moment[] = [];
  if (order.PaidAt) moments.push({ at: order.PaidAt, what: words.paid, tone: "plain" });
  moments.push({ at: order.CreatedAt, what: words.received, tone: "plain" });
  for (const line of order.Lines) moments.push(...momentsOf(line, order.Lines.length > 1));
  moments.push(...disputesOf(order, disputes));
  return moments.sort((one, other) => timeOf(one) - timeOf(other));
}

function momentsOf(line: OrderLine, isOneOfMany: boolean): Moment[] {
  const words = text.story;
  const about = isOneOfMany ? { line: line.Number } : {};
  const moments: Moment[] = [];
  if (line.DeliveredAt)
    moments.push({ at: line.DeliveredAt, what: words.delivered, tone: "good", ...about });
  if (line.ClaimedAt)
    moments.push({ at: line.ClaimedAt, what: words.claimed, tone: "good", ...about });
  if (line.State === "cancelled" || line.State === "returned" || line.State === "lost")
    moments.push({ at: line.EndedAt, what: words[line.State], tone: "bad", ...about });
  return moments;
}

/** From the audit log, which has the times; without it, only the last state is known. */
function disputesOf(order: Order, entries: AuditLogEntry[]): Moment[] {
  const found = entries.flatMap((entry): Moment[] => {
    const after = stateOf(entry.After);
    const verdict = textAt(after, "dispute");
    if (textAt(after, "order") !== order.Id || !isVerdict(verdict)) return [];
    return [{ at: entry.At, by: entry.ActorName, ...toldAs(verdict) }];
  });
  if (found.length > 0 || order.Dispute === null) return found;
  return [{ at: null, ...toldAs(order.Dispute) }];
}

type Verdict = NonNullable<Order["Dispute"]>;

function isVerdict(word: string | undefined): word is Verdict {
  return word === "open" || word === "won" || word === "lost";
}

function toldAs(verdict: Verdict): Pick<Moment, "what" | "tone"> {
  return { what: text.story.dispute[verdict], tone: verdict === "won" ? "good" : "bad" };
}

function timeOf({ at }: Moment): number {
  return at === null ? Number.POSITIVE_INFINITY : Date.parse(at);
}
