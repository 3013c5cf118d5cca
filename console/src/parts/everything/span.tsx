import { Group, SegmentedControl, TextInput } from "@mantine/core";
import { useState } from "react";
import { fromLocal, toLocal } from "~/instants";
import { useTimeZone } from "~/preferences";
import classes from "./everything.module.css";
import { text } from "./text";

const SPANS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;

type Name = keyof typeof SPANS | "other";

/** A time to look at: one of the usual, or from and until. It ends when the sheet was opened. */
export function useSpan(since: string | undefined) {
  const [now] = useState(() => Date.now());
  const [name, setName] = useState<Name>(since ? "other" : "hour");
  const [typedFrom, setFrom] = useState(since ?? new Date(now - SPANS.day).toISOString());
  const [typedTo, setTo] = useState<string>();
  const isTyped = name === "other";
  const from = isTyped ? typedFrom : new Date(now - SPANS[name]).toISOString();
  const to = (isTyped && typedTo) || new Date(now).toISOString();
  return { name, setName, from, to, typedTo, setFrom, setTo, isValid: from < to };
}

export function SpanFields({ span }: { span: ReturnType<typeof useSpan> }) {
  const [zone] = useTimeZone();
  const where = zone === "utc" ? text.utc : "";
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={text.since}
        data={(["hour", "day", "week", "other"] as const).map((value) => ({
          value,
          label: text.spans[value],
        }))}
        value={span.name}
        onChange={(value) => span.setName(value as Name)}
      />
      {span.name === "other" && (
        <Group gap="sm" align="flex-start" className={classes.span}>
          <TextInput
            type="datetime-local"
            label={text.from + where}
            value={toLocal(span.from, zone)}
            error={!span.isValid && text.wrongOrder}
            onChange={(event) =>
              span.setFrom(fromLocal(event.currentTarget.value, zone) ?? span.from)
            }
          />
          <TextInput
            type="datetime-local"
            label={text.until + where}
            description={text.untilHint}
            inputWrapperOrder={["label", "input", "description", "error"]}
            value={toLocal(span.typedTo, zone)}
            onChange={(event) => span.setTo(fromLocal(event.currentTarget.value, zone))}
          />
        </Group>
      )}
    </>
  );
}
