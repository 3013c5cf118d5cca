import { TextInput } from "@mantine/core";
import { fromLocal, toLocal } from "~/instants";
import { useTimeZone } from "~/preferences";
import { text } from "./text";

interface DateTimeFieldProps {
  label: string;
  description?: string | undefined;
  error?: string | false;
  required?: boolean;
  /** An instant, as the API takes it. */
  value: string | undefined;
  onChange: (at: string | undefined) => void;
}

/** An instant in the time zone that the person chose; the label says if that is UTC. */
export function DateTimeField({ label, value, onChange, ...props }: DateTimeFieldProps) {
  const [zone] = useTimeZone();
  return (
    <TextInput
      type="datetime-local"
      label={zone === "utc" ? text.utc(label) : label}
      value={toLocal(value, zone)}
      onChange={(event) => onChange(fromLocal(event.currentTarget.value, zone))}
      {...props}
    />
  );
}
