import { Button } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useState } from "react";
import { useMe } from "~/session";
import { EverythingSheet } from "./EverythingSheet";
import type { Whose } from "./run";
import { text } from "./text";

interface EverythingButtonProps {
  whose: Whose;
  name: string;
  /** Since when, if a filter says it. */
  from?: string | undefined;
}

/** Opens the bulk undo, for those who may undo what it finds. */
export function EverythingButton({ whose, name, from }: EverythingButtonProps) {
  const [opened, setOpened] = useState(false);
  const [times, setTimes] = useState(0);
  const { Scopes } = useMe();
  const isByActor = "actor" in whose;
  // What leaves a character are items; an actor may have done anything.
  const needed = isByActor ? ["actions.undo"] : ["actions.undo", "players.items"];
  if (!needed.every((scope) => Scopes.includes(scope))) return null;

  function open() {
    // The sheet begins anew: its time ends when it is opened.
    setTimes(times + 1);
    setOpened(true);
  }

  return (
    <>
      <Button variant="default" leftSection={<IconArrowBackUp size={16} />} onClick={open}>
        {isByActor ? text.actor.open(name) : text.player.open}
      </Button>
      {times > 0 && (
        <EverythingSheet
          key={times}
          whose={whose}
          name={name}
          from={from}
          opened={opened}
          onClose={() => setOpened(false)}
        />
      )}
    </>
  );
}
