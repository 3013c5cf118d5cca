import type { ImposeSanction } from "@gamekeeper/client";
import { parseDuration } from "./durations";
import { type Kind, lasts } from "./kinds";
import { namedTarget, type Target } from "./target";

/** What is filled in so far. */
export interface Draft {
  target: Target | null;
  /** For the account of the character that was chosen. */
  whole: boolean;
  /** Null: the person decides on kind and duration. */
  template: string | null;
  kind: Kind;
  duration: string;
  /** Null: the template's own words. */
  message: string | null;
  reason: string;
  evidence: string;
  /** The ids of chat messages that are evidence. */
  excerpt: string[];
}

export function emptyDraft(target: Target | null, kind: Kind = "mute"): Draft {
  return {
    target,
    whole: false,
    template: null,
    kind,
    duration: kind === "ban" ? "7 days" : "1 day",
    message: null,
    reason: "",
    evidence: "",
    excerpt: [],
  };
}

/** What the API is sent; null while something is missing. */
export function bodyOf(draft: Draft): ImposeSanction | null {
  if (!draft.target) return null;
  const whom = namedTarget(draft.target, draft.whole);
  const words = {
    reason: draft.reason.trim(),
    evidence: linksIn(draft.evidence),
    ...(draft.excerpt.length > 0 && { excerpt: draft.excerpt }),
    ...(draft.message !== null && { message: draft.message.trim() }),
  };
  if (draft.template) return { ...whom, template: draft.template, ...words };
  if (!lasts(draft.kind)) {
    const { message, ...staff } = words;
    const isNote = draft.kind === "note";
    return { ...whom, kind: draft.kind, ...staff, ...(!isNote && { message: message ?? "" }) };
  }
  const seconds = parseDuration(draft.duration);
  if (seconds === undefined) return null;
  return {
    ...whom,
    kind: draft.kind,
    ...(seconds !== null && { durationseconds: seconds }),
    ...words,
  };
}

/** Links, one a line or between spaces. */
function linksIn(typed: string): string[] {
  return typed.split(/\s+/).filter(Boolean);
}
