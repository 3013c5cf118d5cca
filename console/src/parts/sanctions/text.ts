import { config } from "~/config";
import { durationInWords, ordinal } from "./durations";
import type { Kind, SanctionState } from "./kinds";

const KIND_WORDS: Record<Kind, string> = {
  ban: "Ban",
  mute: "Mute",
  trade_lock: "Trade lock",
  warning: "Warning",
  note: "Note",
};

/** As on the player's appeal page. */
const DOES: Record<Kind, string> = {
  ban: "is banned",
  mute: "is muted",
  trade_lock: "cannot trade",
  warning: "was warned",
  note: "",
};

const EFFECTS: Record<Kind, string> = {
  ban: "The player cannot sign in or join, and is kicked if online.",
  mute: "The player cannot chat. Game servers enforce this.",
  trade_lock: "The player cannot give items to other characters.",
  warning: "A message to the player, without restrictions.",
  note: "Visible to staff only, never to the player.",
};

function stepText(kind: Kind, seconds: number | null): string {
  const word = KIND_WORDS[kind].toLowerCase();
  if (kind === "warning" || kind === "note") return word;
  return seconds === null ? `permanent ${word}` : `${word} for ${durationInWords(seconds)}`;
}

export const text = {
  kinds: KIND_WORDS,
  effects: EFFECTS,
  states: {
    scheduled: "scheduled",
    in_force: "active",
    ended: "ended",
    lifted: "lifted",
  } satisfies Record<SanctionState, string>,
  until: (when: string) => `until ${when}`,
  from: (when: string) => `from ${when}`,
  tomorrow: (hour: string) => `tomorrow ${hour}`,
  permanent: "permanent",
  /** "mute for 7 days", "permanent ban". */
  step: stepText,
  suggestion: (step: number, isLast: boolean, kind: Kind, seconds: number | null) =>
    `${ordinal(step)} time${isLast ? " or later" : ""}: ${stepText(kind, seconds)}`,
  code: "code",
  onAccount: "whole account",
  character: (name: string) => `character ${name}`,
  deletedCharacter: "a deleted character",
  by: "by",
  message: "Message to player",
  noMessage: "No message",
  reason: "Staff reason",
  evidence: "Evidence",
  liftedBy: "Lifted by",
  templateStep: (template: string, step: number) => `Template “${template}”, step ${step}`,
  lift: "Lift",
  liftTitle: (kind: Kind) => (kind === "note" ? "Remove note" : "Lift sanction"),
  liftPreview: (kind: Kind) =>
    kind === "note"
      ? "The record keeps the removed note, with your name."
      : "The sanction ends now and no longer counts for templates. The record keeps the sanction, with your name and reason.",
  liftNow: (kind: Kind) =>
    kind === "note" ? "Remove note" : `Lift ${KIND_WORDS[kind].toLowerCase()}`,
  lifted: (kind: Kind, whom: string) =>
    kind === "note" ? `Note on ${whom} removed` : `${KIND_WORDS[kind]} of ${whom} lifted`,
  liftAtOnce: "undone in the console",
  notLifted: "Sanction not lifted",
  mayNotManage: "Your role needs the permission sanctions.manage.",
  ownSanction: "You cannot lift your own sanction.",
  list: {
    none: "No sanctions",
    noneHint: "No sanctions on record.",
    inForce: "Active",
    over: "Ended",
    noNotes: "No notes yet",
  },
  note: {
    label: "Note",
    hint: "Visible to staff only.",
    placeholder: "What should other staff know?",
    add: "Add note",
    on: "About",
    added: "Note added",
    remove: "Remove",
    removed: "Note removed",
    onCharacter: "This character",
    onAccount: "Whole account",
  },
  composer: {
    title: "New sanction",
    whom: "Player",
    whomHint: "Name of a character or account",
    whomNone: "No results",
    change: "Change",
    scope: "Applies to",
    wholeAccount: "Whole account",
    onlyCharacter: (name: string) => `Only ${name}`,
    accounts: "Accounts",
    characters: "Characters",
    template: "Template",
    templateHint: "Suggests the next step based on past sanctions.",
    own: "No template",
    ladder: "Steps",
    looking: "Loading the next step…",
    pickWhom: "Select a player to see the next step.",
    kind: "Kind",
    duration: "Duration",
    durationHint: "For example “7 days”, “1 h 30 min” or “permanent”",
    durationOdd: "Unknown duration. Try “3 days”, “2 weeks” or “permanent”.",
    ends: (when: string) => `Until ${when}`,
    noEnd: "Permanent, until lifted",
    quick: ["1 hour", "1 day", "3 days", "7 days", "30 days", "permanent"],
    message: "Message to player",
    messageHint: `The event, and the rule that applies. Shown in ${config.game} and on the appeal page.`,
    preview: "Player preview",
    reason: "Staff reason",
    reasonHint: "Visible to staff only",
    noteText: "Note",
    evidence: "Evidence",
    evidenceHint: "Links for staff, one per line: screenshots, logs, tickets",
    submit: (kind: Kind | null) =>
      kind === null
        ? "Impose"
        : kind === "note"
          ? "Add note"
          : `Impose ${KIND_WORDS[kind].toLowerCase()}`,
    done: (kind: Kind, whom: string) =>
      kind === "note" ? `Note on ${whom} added` : `${KIND_WORDS[kind]} imposed on ${whom}`,
    quote: "Sanction code",
    quoteHint:
      "The player sees this code and needs it for an appeal. Paste the code into the ticket.",
    copy: "Copy code",
    copied: "Copied",
    show: "Show sanction",
    close: "Done",
    cancel: "Cancel",
    refused: "Not imposed",
  },
  seen: {
    title: (target: "account" | "character", kind: Kind) => `Your ${target} ${DOES[kind]}`,
    until: (when: string) => `until ${when}`,
    permanent: "permanently",
    code: "Code",
    codeLater: "shown after imposing",
    appeal: (address: string) => `Do you disagree? Appeal with this code at ${address}`,
    noMessage: "(no message)",
    note: "Nothing. Notes are visible to staff only.",
  },
};
