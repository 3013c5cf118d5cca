import { ActionIcon, Box, Button, Checkbox, Collapse, Text, Tooltip } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { exact, time } from "~/format";
import { useTimeZone } from "~/preferences";
import { ActionDetails } from "./ActionDetails";
import { ActionSentence } from "./ActionSentence";
import classes from "./actions.module.css";
import { type Entry, isShared, transactionOf } from "./entry";
import { KindMark } from "./KindMark";
import { kindLabel } from "./kinds";
import type { About } from "./people";
import { text } from "./text";
import { UndoSheet } from "./UndoSheet";
import { UndoTradeSheet } from "./UndoTradeSheet";
import { useUndo } from "./undo";

export interface ActionRowProps {
  entry: Entry;
  about?: About | undefined;
  known?: ReadonlyMap<string, Entry> | undefined;
  /** Whether its details are shown from the beginning. */
  isOpen?: boolean;
  /** For lists of which some are chosen. */
  selected?: boolean;
  onSelect?: ((selected: boolean) => void) | undefined;
  /** Whether others of the list can be chosen, so that all begin at the same place. */
  hasSelection?: boolean;
}

/** One action of a list: its sentence, its time, its details, and the way back. */
export function ActionRow(props: ActionRowProps) {
  const { entry, about, known, selected = false, onSelect } = props;
  const [opened, setOpened] = useState(props.isOpen ?? false);
  const [zone] = useTimeZone();
  const details = useId();
  const at = new Date(entry.At);
  const name = text.row.actionOf(kindLabel(entry.Kind), entry.ActorName);
  return (
    <li className={classes.row} data-open={opened} data-selected={selected}>
      {onSelect && (
        <Checkbox
          className={classes.check}
          aria-label={text.row.select(name)}
          checked={selected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      )}
      {!onSelect && props.hasSelection && <span className={classes.noCheck} />}
      <KindMark entry={entry} />
      <Box className={classes.body}>
        <ActionSentence entry={entry} about={about} known={known} />
        <UndoneBy entry={entry} known={known} />
      </Box>
      <div className={classes.undoBeside}>
        <UndoButton entry={entry} about={about} name={name} />
      </div>
      <Tooltip label={exact(at, zone)}>
        <Text component="time" dateTime={entry.At} size="xs" c="dimmed" className={classes.time}>
          {time(at, zone).slice(0, 5)}
        </Text>
      </Tooltip>
      <ActionIcon
        variant="subtle"
        color="gray"
        className={classes.more}
        aria-label={`${text.row.details}: ${name}`}
        aria-expanded={opened}
        aria-controls={details}
        onClick={() => setOpened(!opened)}
      >
        <IconChevronDown size={16} className={classes.chevron} />
      </ActionIcon>
      <Collapse expanded={opened} id={details} className={classes.detailsArea}>
        {opened && (
          <ActionDetails entry={entry}>
            <div className={classes.undoBelow}>
              <UndoButton entry={entry} about={about} name={name} />
            </div>
          </ActionDetails>
        )}
      </Collapse>
    </li>
  );
}

function UndoneBy({ entry, known }: Pick<ActionRowProps, "entry" | "known">) {
  if (!entry.UndoneBy) return null;
  const by = known?.get(entry.UndoneBy);
  return (
    <Text size="xs" c="dimmed">
      <Link to="/actions" search={{ id: entry.UndoneBy }}>
        {by ? text.row.undoneByWhom(by.ActorName) : text.row.undoneBy}
      </Link>
      {by?.Reason && ` ${text.quote(by.Reason)}`}
    </Text>
  );
}

interface UndoButtonProps {
  entry: Entry;
  about: About | undefined;
  name: string;
}

function UndoButton({ entry, about, name }: UndoButtonProps) {
  const [opened, setOpened] = useState(false);
  const can = useUndo(entry);
  const transaction = isShared(entry) ? transactionOf(entry) : undefined;
  if (!can) return null;
  return (
    <>
      <Tooltip label={can.why} disabled={can.allowed}>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={text.undo.labelOf(name)}
          aria-disabled={!can.allowed}
          data-disabled={!can.allowed || undefined}
          onClick={() => can.allowed && setOpened(true)}
        >
          {text.undo.label}
        </Button>
      </Tooltip>
      {transaction ? (
        <UndoTradeSheet
          transaction={transaction}
          player={entry.PlayerId ?? undefined}
          opened={opened}
          onClose={() => setOpened(false)}
        />
      ) : (
        <UndoSheet entry={entry} about={about} opened={opened} onClose={() => setOpened(false)} />
      )}
    </>
  );
}
