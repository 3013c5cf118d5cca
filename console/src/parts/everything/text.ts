import { grouped } from "~/format";

const actions = (count: number) => (count === 1 ? "1 action" : `${grouped(count)} actions`);

/** The words of a bulk undo: of everything by an actor, or of what left a character or account. */
export const text = {
  actor: {
    open: (name: string) => `Undo everything by ${name}`,
    title: (name: string) => `Undo everything by ${name}`,
    intro: "Actions are undone newest first. Those that cannot be undone are listed and stay.",
    nothing: "No actions in this time that can be undone.",
    done: (count: number, name: string) => `Undid ${actions(count)} of ${name}`,
  },
  player: {
    open: "Undo what left since…",
    title: (name: string) => `Undo what left ${name}`,
    intro: "Items go back to this character. A trade is undone on all sides, or not at all.",
    nothing: "Nothing left this character in this time.",
    done: (count: number, name: string) => `Undid ${actions(count)}: items are back with ${name}`,
  },
  user: {
    open: "Undo what left since…",
    title: (name: string) => `Undo what left the account ${name}`,
    intro:
      "Items go back to the characters of this account. A trade is undone on all sides, or not at all.",
    nothing: "Nothing left the characters of this account in this time.",
    done: (count: number, name: string) =>
      `Undid ${actions(count)}: items are back with the account ${name}`,
  },
  since: "Since",
  spans: { hour: "Last hour", day: "24 hours", week: "7 days", other: "Other" },
  from: "From",
  until: "Until",
  untilHint: "Empty: until now",
  utc: " (UTC)",
  wrongOrder: "The end is before the beginning.",
  what: {
    label: "Undo",
    left: "What left",
    leftHint: "Items and spells that left. Everything that came in stays.",
    all: "Every change",
    allHint: "Also gifts, earnings, levels and variables of this time.",
  },
  kinds: {
    label: "Actions by kind",
    kind: "What",
    found: "Found",
    preview: "To undo",
    undone: "Undone",
    left: "Stay",
  },
  recipients: {
    label: "Recipients",
    to: "To",
    nobody: "Without a recipient",
    nobodyHint: "used up, sold, dropped or deposited",
    actions,
    before: (count: number) => `${grouped(count)} undone before`,
    item: "Item",
    left: "Left",
    preview: "Returns",
    undone: "Returned",
    more: (count: number) => `and ${grouped(count)} more recipients`,
    stays: "Stays:",
    possible: (possible: number, wanted: number) =>
      `Only ${grouped(possible)} of ${grouped(wanted)} possible.`,
    handedOn: (names: string) => `Passed on to ${names}.`,
  },
  leftTitle: (count: number) =>
    count === 1 ? "1 action stays as it is" : `${grouped(count)} actions stay as they are`,
  submit: (count: number) => `Undo ${actions(count)}`,
  nothing: "No actions found.",
  close: "Close",
};
