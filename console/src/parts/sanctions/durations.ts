import { LOCALE } from "~/locale";

/** How long a sanction lasts, as people say it: "7 days", "1 h 30 min", "without end". */
const UNITS: [RegExp, number][] = [
  [/^(s|secs?|seconds?)$/, 1],
  [/^(m|mins?|minutes?)$/, 60],
  [/^(h|hrs?|hours?)$/, 3_600],
  [/^(d|days?)$/, 86_400],
  [/^(w|wks?|weeks?)$/, 604_800],
  [/^(mo|months?)$/, 2_592_000],
  [/^(y|yrs?|years?)$/, 31_536_000],
];
const WITHOUT_END =
  /^(for ?ever|for good|permanent(ly)?|perm|without end|no end|never|indefinite(ly)?)$/;
const PART = /^(\d+(?:[.,]\d+)?)\s*([a-z]+)\.?(?:\s*(?:,|and|\s)\s*)?/;

/** The seconds; null: without end; undefined: it is not understood. */
export function parseDuration(typed: string): number | null | undefined {
  let rest = typed
    .trim()
    .toLowerCase()
    .replace(/^for (?!good|ever)/, "")
    .replace(/^an? /, "1 ");
  if (WITHOUT_END.test(rest)) return null;
  let seconds = 0;
  while (rest !== "") {
    const part = PART.exec(rest);
    const unit = UNITS.find(([words]) => words.test(part?.[2] ?? ""));
    if (!part?.[1] || !unit) return undefined;
    seconds += Number(part[1].replace(",", ".")) * unit[1];
    rest = rest.slice(part[0].length);
  }
  return seconds >= 1 ? Math.round(seconds) : undefined;
}

const PARTS = (
  [
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", 60],
    ["second", 1],
  ] as const
).map(([unit, length]) => {
  const format = new Intl.NumberFormat(LOCALE, { style: "unit", unit, unitDisplay: "long" });
  return { format, length };
});

/** "7 days", "1 day 6 hours"; two units at most. */
export function durationInWords(seconds: number): string {
  const parts: string[] = [];
  let rest = Math.round(seconds);
  for (const { format, length } of PARTS) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(format.format(count));
  }
  return parts.slice(0, 2).join(" ") || "0 seconds";
}

const ORDINALS = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth"];

/** "Third"; beyond the eighth "9th". */
export function ordinal(number: number): string {
  const word = ORDINALS[number - 1];
  if (word) return word;
  const isTeen = number % 100 >= 11 && number % 100 <= 13;
  const ending = isTeen ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${ending}`;
}
