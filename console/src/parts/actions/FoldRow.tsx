import { ActionIcon, Box, Collapse, Text } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useId, useState } from "react";
import { time } from "~/format";
import { Quantity } from "~/parts/Quantity";
import { useTimeZone } from "~/preferences";
import { ActionRow } from "./ActionRow";
import classes from "./actions.module.css";
import type { Entry } from "./entry";
import type { Fold } from "./folds";
import { KindMark } from "./KindMark";
import { Pieces } from "./Pieces";
import type { About } from "./people";
import { text } from "./text";

const MOST = 4;

interface FoldRowProps {
  fold: Fold;
  about?: About | undefined;
  known?: ReadonlyMap<string, Entry> | undefined;
}

/** Repeats of the game as one line: how often, and what they add up to. */
export function FoldRow({ fold, about, known }: FoldRowProps) {
  const [opened, setOpened] = useState(false);
  const [zone] = useTimeZone();
  const rows = useId();
  const [newest, oldest] = [fold.entries[0] as Entry, fold.entries.at(-1) as Entry];
  const label = text.fold.label(fold.reason ?? text.fold.position, fold.times);
  const clock = (entry: Entry) => time(new Date(entry.At), zone).slice(0, 5);
  return (
    <li className={classes.row} data-open={opened}>
      <KindMark entry={newest} />
      <Box className={classes.body}>
        <Text component="div" size="sm" className={classes.sentence}>
          <b className={classes.foldFlow}>{label}</b>
          {fold.flows.slice(0, MOST).map((flow) => (
            <span key={flow.item} className={classes.foldFlow}>
              <Quantity change={flow.quantity} /> <Pieces item={flow.item} name={flow.name} />
            </span>
          ))}
          {fold.flows.length > MOST && (
            <Text span size="sm" c="dimmed">
              {" "}
              {text.fold.more(fold.flows.length - MOST)}
            </Text>
          )}
        </Text>
      </Box>
      <Text size="xs" c="dimmed" className={classes.time}>
        {clock(oldest)}–{clock(newest)}
      </Text>
      <ActionIcon
        variant="subtle"
        color="gray"
        className={classes.more}
        aria-label={text.fold.show(label)}
        aria-expanded={opened}
        aria-controls={rows}
        onClick={() => setOpened(!opened)}
      >
        <IconChevronDown size={16} className={classes.chevron} />
      </ActionIcon>
      <Collapse expanded={opened} id={rows} className={classes.detailsArea}>
        {opened && (
          <ul className={classes.list}>
            {fold.entries.map((entry) => (
              <ActionRow key={entry.Id} entry={entry} about={about} known={known} />
            ))}
          </ul>
        )}
      </Collapse>
    </li>
  );
}
