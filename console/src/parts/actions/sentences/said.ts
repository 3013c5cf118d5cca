import type { ReactNode } from "react";
import type { Entry } from "../entry";
import type { About } from "../people";
import { sentences } from "./text";

/** A sentence: its form, and what stands in its places beside `{actor}`, `{target}` and `{user}`. */
export interface Said {
  form: string;
  parts?: Readonly<Record<string, ReactNode>>;
  /** Words that are quoted after it, if it is not the reason. */
  quote?: string | undefined;
  /** Whether the game did it, and who did it is only who reported it. */
  isReport?: boolean;
}

export interface Telling {
  entry: Entry;
  about: About | undefined;
  /** Whether the page is that of the character it was done to. */
  isHere: boolean;
  /** Other actions of the list, so that an undo can say what it undid. */
  known: ReadonlyMap<string, Entry> | undefined;
}

export type Form = keyof typeof sentences.says;

export function form(telling: Telling, name: Form): string {
  return (telling.isHere && sentences.here[name]) || sentences.says[name];
}
