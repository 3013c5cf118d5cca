import { grouped } from "~/format";
import { plural } from "~/plural";

const actions = (count: number) => plural(count, { one: "# action", other: "# actions" });

/** The texts of a bulk undo: by actor, or of items that left a character or account. */
export const text = {
  actor: {
    open: (name: string) => `Undo everything by ${name}`,
    title: (name: string) => `Undo everything by ${name}`,
    intro:
      "Actions are undone newest first. Actions that cannot be undone are listed and stay unchanged.",
    nothing: "No actions to undo in this period.",
    done: (count: number, name: string) => `Undid ${actions(count)} of ${name}`,
  },
  player: {
    open: "Undo losses since…",
    title: (name: string) => `Undo losses of ${name}`,
    intro: "Items return to this character. A trade is undone on all sides, or not at all.",
    nothing: "No items left this character in this period.",
    done: (count: number, name: string) => `Undid ${actions(count)}: items returned to ${name}`,
  },
  user: {
    open: "Undo losses since…",
    title: (name: string) => `Undo losses of the account ${name}`,
    intro:
      "Items return to the characters of this account. A trade is undone on all sides, or not at all.",
    nothing: "No items left the characters of this account in this period.",
    done: (count: number, name: string) =>
      `Undid ${actions(count)}: items returned to the account ${name}`,
  },
  since: "Since",
  spans: { hour: "Last hour", day: "24 hours", week: "7 days", other: "Other" },
  from: "From",
  until: "Until",
  untilHint: "Empty means now",
  utc: " (UTC)",
  wrongOrder: "The end is before the start.",
  what: {
    label: "Undo",
    left: "Losses",
    leftHint: "Returns items and spells that left. Received items stay.",
    all: "Every change",
    allHint: "Also undoes received items, levels and variables.",
  },
  kinds: {
    label: "Actions by kind",
    kind: "Kind",
    found: "Found",
    preview: "To undo",
    undone: "Undone",
    left: "Unchanged",
  },
  recipients: {
    label: "Recipients",
    to: "To",
    nobody: "No recipient",
    nobodyHint: "used up, sold, dropped or deposited",
    actions,
    before: (count: number) => `${grouped(count)} already undone`,
    item: "Item",
    left: "Lost",
    preview: "Returns",
    undone: "Returned",
    more: (count: number) =>
      plural(count, { one: "and # more recipient", other: "and # more recipients" }),
    stays: "Not returned:",
    possible: (possible: number, wanted: number) =>
      `Only ${grouped(possible)} of ${grouped(wanted)} possible.`,
    handedOn: (names: string) => `Passed on to ${names}.`,
  },
  leftTitle: (count: number) =>
    plural(count, { one: "# action stays unchanged", other: "# actions stay unchanged" }),
  submit: (count: number) => `Undo ${actions(count)}`,
  nothing: "No actions found.",
  close: "Close",
};
