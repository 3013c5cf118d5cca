import type { CaseDetails, CaseLine, PlayerReport, Sanction } from "@gamekeeper/client";
import { expect, test } from "vitest";
import { evidenceOf, storyOf, withLine } from "./story";

const at = (minute: number) => new Date(Date.UTC(2026, 2, 14, 18, minute)).toISOString();

function line(
  id: string,
  minute: number,
  parts: { user?: string; named?: boolean; added?: boolean } = {},
): CaseLine {
  return {
    Line: { Id: id, SaidAt: at(minute), UserId: parts.user ?? "other", Message: id },
    IsReported: parts.named ?? false,
    ReportIds: [],
    AddedAt: parts.added ? at(50) : null,
  } as unknown as CaseLine;
}

const details = {
  Case: { OpenedAt: at(5), ClosedAt: null },
  Reports: [{ Id: "r", HappenedAt: at(5) } as PlayerReport],
  Notes: [],
} as unknown as CaseDetails;

test("messages before and after a report are around it", () => {
  const chat = [line("a", 1), line("b", 2), line("c", 8), line("d", 40)];

  const story = storyOf(details, chat, []);

  expect(story.map((part) => (part.what === "chat" ? part.lines.length : part.what))).toEqual([
    2,
    "report",
    1,
    1,
  ]);
});

test("sanctions from before the first message are history", () => {
  const sanctions = [
    { Kind: "mute", ImposedAt: at(0) },
    { Kind: "ban", ImposedAt: at(9) },
    { Kind: "note", ImposedAt: at(9) },
  ] as Sanction[];

  const story = storyOf(details, [line("a", 1)], sanctions);

  expect(story.map(({ what }) => what)).toEqual(["chat", "report", "sanction"]);
});

test("the evidence is what was reported or added and what the account said, at most fifty", () => {
  const chat = [
    line("a", 1, { user: "bad" }),
    line("b", 2),
    line("c", 3, { named: true }),
    line("d", 4, { added: true }),
  ];
  expect(evidenceOf(chat, "bad")).toEqual(["a", "c", "d"]);

  const many = Array.from({ length: 60 }, (_, place) => line(`m${place}`, place, { user: "bad" }));
  const named = line("named", 0, { named: true });
  const chosen = evidenceOf([named, ...many], "bad");
  expect(chosen).toHaveLength(50);
  expect(chosen[0]).toBe("named");
  expect(chosen.at(-1)).toBe("m59");
});

test("a message is chosen once, and no more than fifty are", () => {
  const fifty = Array.from({ length: 50 }, (_, place) => String(place));
  expect(withLine(["a"], "a", true)).toEqual(["a"]);
  expect(withLine(["a"], "a", false)).toEqual([]);
  expect(withLine(fifty, "one more", true)).toEqual(fifty);
});
