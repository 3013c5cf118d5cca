import { Text, type TextProps, Tooltip } from "@mantine/core";
import { useSyncExternalStore } from "react";
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

/** An instant: how long ago, with the exact time on hover. */
export function When({ at, ...props }: { at: string } & TextProps) {
  const [zone] = useTimeZone();
  const instant = new Date(at);
  const label = `${exact(instant, zone)}${zone === "utc" ? " UTC" : ""}`;
  return (
    <Tooltip label={label}>
      <Text component="time" dateTime={at} inherit {...props} title={undefined}>
        {relative(instant, useNow(), zone)}
      </Text>
    </Tooltip>
  );
}
