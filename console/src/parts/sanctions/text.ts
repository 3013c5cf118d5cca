import { durationInWords, ordinal } from "./durations";
import type { Kind, SanctionState } from "./kinds";

const KIND_WORDS: Record<Kind, string> = {
  ban: "Ban",
  mute: "Mute",
  trade_lock: "Trade lock",
  warning: "Warning",
  note: "Note",
};

/** As the appeal page says it to the player. */
const DOES: Record<Kind, string> = {
  ban: "is banned",
  mute: "is muted",
  trade_lock: "may not trade",
  warning: "was warned",
  note: "",
};

const EFFECTS: Record<Kind, string> = {
  ban: "Cannot sign in or join; who is in the game is kicked.",
  mute: "Cannot chat. The game servers see to it.",
  trade_lock: "Cannot give items to other characters.",
  warning: "Only words: nothing is taken away.",
  note: "Only staff can read it; the player never learns of it.",
};

function period(kind: Kind, seconds: number | null): string {
  if (kind === "warning" || kind === "note") return "";
  return seconds === null ? " without end" : ` for ${durationInWords(seconds)}`;
}

export const text = {
  kinds: KIND_WORDS,
  effects: EFFECTS,
  states: {
    scheduled: "not begun",
    in_force: "in force",
    ended: "ended",
    lifted: "lifted",
  } satisfies Record<SanctionState, string>,
  until: (when: string) => `until ${when}`,
  from: (when: string) => `from ${when}`,
  tomorrow: (hour: string) => `tomorrow ${hour}`,
  withoutEnd: "without end",
  /** "mute for 7 days". */
  step: (kind: Kind, seconds: number | null) =>
    `${KIND_WORDS[kind].toLowerCase()}${period(kind, seconds)}`,
  suggestion: (step: number, isLast: boolean, kind: Kind, seconds: number | null) =>
    `${ordinal(step)} time${isLast ? " or later" : ""}: ${text.step(kind, seconds)}`,
  code: "the code",
  onAccount: "whole account",
  character: (name: string) => `character ${name}`,
  deletedCharacter: "a deleted character",
  by: "by",
  message: "What the player reads",
  noMessage: "No words for the player",
  reason: "Reason, for staff",
  evidence: "Evidence",
  liftedBy: "Lifted by",
  templateStep: (template: string, step: number) => `Template “${template}”, step ${step}`,
  lift: "Lift",
  liftTitle: (kind: Kind) => (kind === "note" ? "Remove a note" : "Lift a sanction"),
  liftPreview: (kind: Kind) =>
    kind === "note"
      ? "It stays on record as removed, with your name."
      : "It ends now, and counts on no ladder any more. It stays on record, with your name and reason.",
  liftNow: (kind: Kind) =>
    kind === "note" ? "Remove the note" : `Lift the ${KIND_WORDS[kind].toLowerCase()}`,
  lifted: (kind: Kind, whom: string) =>
    kind === "note" ? `The note on ${whom} is removed` : `${KIND_WORDS[kind]} of ${whom} lifted`,
  liftAtOnce: "lifted at once in the console",
  notLifted: "It was not lifted",
  mayNotManage: "Your role may not impose or lift sanctions (sanctions.manage).",
  ownSanction: "Nobody lifts a sanction of their own.",
  list: {
    none: "A clean record",
    noneHint: "No sanction was ever imposed here.",
    inForce: "In force",
    over: "Over",
    noNotes: "No notes yet",
  },
  note: {
    label: "Write a note",
    hint: "Only staff can read it.",
    placeholder: "What should the next one know?",
    add: "Add the note",
    on: "About",
    added: "Note added",
    remove: "Remove",
    removed: "Note removed",
    onCharacter: "This character",
    onAccount: "The whole account",
  },
  composer: {
    title: "Impose a sanction",
    whom: "Whom",
    whomHint: "A character or an account, by name",
    whomNone: "Nobody of that name",
    change: "Somebody else",
    scope: "It holds for",
    wholeAccount: "The whole account",
    onlyCharacter: (name: string) => `Only ${name}`,
    accounts: "Accounts",
    characters: "Characters",
    template: "Template",
    templateHint: "Its ladder knows what comes next for this account.",
    own: "None: I decide",
    ladder: "Ladder",
    looking: "Looking up what comes next…",
    pickWhom: "Say whom, and the next step of the ladder shows here.",
    kind: "Kind",
    duration: "How long",
    durationHint: "In words, such as “7 days”, “1 h 30 min” or “for good”",
    durationOdd: "This is not understood. Try “3 days”, “2 weeks”, “for good”.",
    ends: (when: string) => `Until ${when}`,
    noEnd: "Without end, until somebody lifts it",
    quick: ["1 hour", "1 day", "3 days", "7 days", "30 days", "for good"],
    message: "What the player reads",
    messageHint: "Kind and clear: what happened, which rule. In the game and on the appeal page.",
    preview: "As the player sees it",
    reason: "Reason, for staff",
    reasonHint: "The player never sees it",
    noteText: "The note",
    evidence: "Evidence",
    evidenceHint: "Links for staff, one a line: pictures, logs, tickets",
    submit: (kind: Kind | null) =>
      kind === null
        ? "Impose"
        : kind === "note"
          ? "Add the note"
          : `Impose the ${KIND_WORDS[kind].toLowerCase()}`,
    done: (kind: Kind, whom: string) =>
      kind === "note" ? `Note on ${whom} added` : `${KIND_WORDS[kind]} imposed on ${whom}`,
    quote: "The code to quote",
    quoteHint: "The player sees it too, and appeals with it. Paste it into the ticket.",
    copy: "Copy the code",
    copied: "Copied",
    show: "Show it",
    close: "Done",
    cancel: "Cancel",
    refused: "This is refused",
  },
  seen: {
    title: (target: "account" | "character", kind: Kind) => `Your ${target} ${DOES[kind]}`,
    until: (when: string) => `until ${when}`,
    withoutEnd: "without end",
    code: "Code",
    codeLater: "comes when it is imposed",
    appeal: (address: string) => `Do you disagree? Appeal with this code at ${address}`,
    noMessage: "(no words)",
    note: "Nothing: a note is for staff only.",
  },
};
