import { Fragment, type ReactNode } from "react";

/** A sentence of a text file, `{actor} gave {items}`, with what stands in its places. */
export function Phrase({ of, parts }: { of: string; parts: Readonly<Record<string, ReactNode>> }) {
  return of.split(/\{(\w+)\}/).map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence keep their order
    <Fragment key={at}>{at % 2 === 0 ? piece : (parts[piece] ?? null)}</Fragment>
  ));
}

/** "a, b and c" of anything. */
export function Listed({ values, and }: { values: ReactNode[]; and: string }) {
  return values.map((value, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a list that is shown as it is
    <Fragment key={at}>
      {at > 0 && (at === values.length - 1 ? ` ${and} ` : ", ")}
      {value}
    </Fragment>
  ));
}
