import { Button, Group, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import { fromLocal, toLocal } from "~/instants";
import { useTimeZone } from "~/preferences";
import classes from "./chat.module.css";
import { CHANNELS, type ChatSearch } from "./filter";
import { text } from "./text";

interface ChatFiltersProps {
  search: ChatSearch;
  onChange: (change: ChatSearch) => void;
  withPrivate: boolean;
  /** False where all messages are of one channel. */
  withChannels: boolean;
  /** Whose messages, where that can be chosen. */
  children?: ReactNode;
}

/** Channel, text and moment, all in the address. */
export function ChatFilters({
  search,
  onChange,
  withPrivate,
  withChannels,
  children,
}: ChatFiltersProps) {
  const [zone] = useTimeZone();
  const isFiltered = Boolean(search.channel || search.said || search.moment);
  return (
    <Group gap="sm" align="end" component="search" aria-label={text.filters}>
      {children}
      {withChannels && (
        <Select
          label={text.channel}
          placeholder={text.allChannels}
          clearable
          className={classes.filter}
          data={CHANNELS.filter((channel) => channel !== "pm" || withPrivate).map((channel) => ({
            value: channel,
            label: text.channels[channel],
          }))}
          value={search.channel ?? null}
          onChange={(channel) => onChange({ channel: channel ?? undefined })}
        />
      )}
      <TextFilter value={search.said ?? ""} onValue={(said) => onChange({ said })} />
      <TextInput
        type="datetime-local"
        label={text.moment}
        className={classes.filter}
        value={toLocal(search.moment, zone)}
        onChange={(event) => onChange({ moment: fromLocal(event.currentTarget.value, zone) })}
      />
      {isFiltered && (
        <Button
          variant="subtle"
          onClick={() =>
            onChange({ channel: undefined, said: undefined, moment: undefined, server: undefined })
          }
        >
          {text.clear}
        </Button>
      )}
    </Group>
  );
}

interface TextFilterProps {
  value: string;
  onValue: (value: string | undefined) => void;
}

/** A field whose words go into the address when the typing pauses. */
function TextFilter({ value, onValue }: TextFilterProps) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const send = useDebouncedCallback((wanted: string) => onValue(wanted || undefined), 350);
  // The address has changed otherwise, by a link or by going back.
  if (value !== seen) {
    setSeen(value);
    if (value !== typed.trim()) setTyped(value);
  }
  return (
    <TextInput
      label={text.search}
      placeholder={text.searchHint}
      className={classes.filter}
      value={typed}
      maxLength={100}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        send(event.currentTarget.value.trim());
      }}
    />
  );
}
