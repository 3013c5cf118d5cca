import type { CaseDetails, CaseLine, CaseNote, PlayerReport, Sanction } from "@gamekeeper/client";

/** Something that happened, at its time. Messages that follow each other are one part. */
export type Part =
  | { what: "chat"; at: string; lines: CaseLine[] }
  | { what: "report"; at: string; report: PlayerReport }
  | { what: "note"; at: string; note: CaseNote }
  | { what: "sanction"; at: string; sanction: Sanction }
  | { what: "closed"; at: string };

/** All that belongs to a case, oldest first. What was before it is the history of the account. */
export function storyOf(
  { Case: about, Reports, Notes }: CaseDetails,
  chat: CaseLine[],
  sanctions: Sanction[],
): Part[] {
  const parts: Part[] = [
    ...chat.map((line) => ({ what: "chat" as const, at: line.Line.SaidAt, lines: [line] })),
    ...Reports.map((report) => ({ what: "report" as const, at: report.HappenedAt, report })),
    ...Notes.map((note) => ({ what: "note" as const, at: note.At, note })),
  ];
  const begin = parts.reduce((first, { at }) => earlier(first, at), about.OpenedAt);
  for (const sanction of sanctions) {
    const at = sanction.ImposedAt;
    const isPart = Date.parse(at) >= Date.parse(begin) && sanction.Kind !== "note";
    if (isPart) parts.push({ what: "sanction", at, sanction });
  }
  if (about.ClosedAt) parts.push({ what: "closed", at: about.ClosedAt });
  parts.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return joined(parts);
}

function earlier(one: string, other: string): string {
  return Date.parse(other) < Date.parse(one) ? other : one;
}

/** Messages of ten minutes without anything between them are read together. */
const GAP = 600_000;

function joined(parts: Part[]): Part[] {
  const story: Part[] = [];
  for (const part of parts) {
    const last = story.at(-1);
    const before = last?.what === "chat" ? last.lines.at(-1)?.Line.SaidAt : undefined;
    if (part.what === "chat" && last?.what === "chat" && before) {
      if (Date.parse(part.at) - Date.parse(before) < GAP) {
        last.lines.push(...part.lines);
        continue;
      }
    }
    story.push(part.what === "chat" ? { ...part, lines: [...part.lines] } : part);
  }
  return story;
}

const MOST_EVIDENCE = 50;

/** Evidence unless other messages are chosen: reported and added ones, and the account's. */
export function evidenceOf(chat: CaseLine[], userId: string): string[] {
  const usable = chat.filter(({ Line }) => Line.Message !== null);
  const isNamed = (line: CaseLine) => line.IsReported || line.AddedAt !== null;
  const named = usable.filter(isNamed);
  const said = usable.filter((line) => !isNamed(line) && line.Line.UserId === userId);
  const kept = new Set([...named.toReversed(), ...said.toReversed()].slice(0, MOST_EVIDENCE));
  return usable.filter((line) => kept.has(line)).map(({ Line }) => Line.Id);
}

export function withLine(chosen: string[], id: string, selected: boolean): string[] {
  const others = chosen.filter((one) => one !== id);
  return selected && others.length < MOST_EVIDENCE ? [...others, id] : others;
}
