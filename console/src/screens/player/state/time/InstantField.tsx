import { ActionIcon, Autocomplete } from "@mantine/core";
import { IconArrowRight, IconHistory } from "@tabler/icons-react";
import { useState } from "react";
import { useTimeZone } from "~/preferences";
import { text } from "../text";
import { parseInstant } from "./instants";

interface InstantFieldProps {
  /** Undefined: now. */
  onInstant: (time: number | undefined) => void;
}

/** An instant typed as people say it; what is usual is offered. */
export function InstantField({ onInstant }: InstantFieldProps) {
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const [zone] = useTimeZone();

  function go(wanted: string) {
    const now = new Date();
    const instant = parseInstant(wanted, now, zone);
    setWrong(instant === null && wanted.trim() !== "");
    if (!instant) return;
    // What happens at an instant is done at that instant; who types 18:00 wants what was before.
    onInstant(instant >= now ? undefined : instant.getTime() - 1);
  }

  return (
    <Autocomplete
      aria-label={text.time.type}
      placeholder={text.time.placeholder}
      leftSection={<IconHistory size={16} />}
      data={text.time.usual}
      filter={({ options }) => (typed === "" ? options : [])}
      value={typed}
      error={isWrong && text.time.notUnderstood}
      w={{ base: "100%", xs: 240 }}
      onChange={(value) => {
        setTyped(value);
        setWrong(false);
      }}
      onOptionSubmit={go}
      onKeyDown={(event) => {
        if (event.key === "Enter" && typed !== "") go(typed);
      }}
      rightSection={
        <ActionIcon
          variant="subtle"
          aria-label={text.time.go}
          disabled={typed === ""}
          onClick={() => go(typed)}
        >
          <IconArrowRight size={16} />
        </ActionIcon>
      }
    />
  );
}
