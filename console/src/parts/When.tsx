import { Text, type TextProps, Tooltip } from "@mantine/core";
import { Fragment, type ReactNode, useSyncExternalStore } from "react";
import { exact, relative } from "~/format";
import { useTimeZone } from "~/preferences";

/** One clock for all instants on the screen, so that they age together. */
let now = new Date();
const listeners = new Set<() => void>();
setInterval(() => {
  now = new Date();
  for (const listener of listeners) listener();
}, 10_000);

export function useNow(): Date {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => now,
  );
}

/** A date never breaks at its hyphens: in a narrow column, the time is below it. */
function unbroken(words: string): ReactNode {
  if (!words.includes("-")) return words;
  return words.split(" ").map((word, at) => (
    <Fragment key={word}>
      {at > 0 && " "}
      <span style={{ whiteSpace: "nowrap" }}>{word}</span>
    </Fragment>
  ));
}

/** An instant as a person reads it: exact, and in UTC only if they chose that. */
export function useExact(): (at: string) => string {
  const [zone] = useTimeZone();
  return (at) => `${exact(new Date(at), zone)}${zone === "utc" ? " UTC" : ""}`;
}

/** An instant: how long ago, with the exact time on hover. */
export function When({ at, ...props }: { at: string } & TextProps) {
  const [zone] = useTimeZone();
  const instant = new Date(at);
  const label = useExact()(at);
  return (
    <Tooltip label={label}>
      <Text component="time" dateTime={at} inherit {...props} title={undefined}>
        {unbroken(relative(instant, useNow(), zone))}
      </Text>
    </Tooltip>
  );
}
