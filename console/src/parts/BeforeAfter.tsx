import { Box, Text } from "@mantine/core";
import { IconArrowNarrowRight } from "@tabler/icons-react";
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { grouped } from "~/format";
import { ItemTile } from "~/parts/ItemTile";
import { Quantity } from "~/parts/Quantity";
import { text } from "~/text";
import classes from "./BeforeAfter.module.css";

type Value = ReactNode;

/** One thing that changes: an item, a spell, a variable, a level. */
export interface Change {
  key: string;
  /** Draws the item's tile in front. */
  itemId?: string | undefined;
  /** Draws this in front, for what is no item. */
  icon?: ReactNode;
  label: ReactNode;
  /** Below the label: the slot, the stat buffs, what to know. */
  note?: ReactNode;
  /** Numbers are grouped, and their difference is shown with its sign. */
  before: Value;
  after: Value;
}

/**
 * What a change does, line by line: before → after. Every sheet shows it like this.
 */
export function BeforeAfter({ changes, label }: { changes: Change[]; label?: string }) {
  return (
    <ul className={classes.list} aria-label={label ?? text.change.preview}>
      {changes.map((change) => (
        <li key={change.key} className={classes.row}>
          {change.itemId ? <ItemTile id={change.itemId} size={36} /> : change.icon}
          <Box className={classes.what}>
            <Text size="sm" fw={600} className={classes.label}>
              {change.label}
            </Text>
            {change.note && (
              <Text size="xs" c="dimmed">
                {change.note}
              </Text>
            )}
          </Box>
          <Values before={change.before} after={change.after} />
        </li>
      ))}
    </ul>
  );
}

function Values({ before, after }: { before: Value; after: Value }) {
  const difference =
    typeof before === "number" && typeof after === "number" ? after - before : undefined;
  const isLong = isLongText(before) || isLongText(after);
  return (
    <div className={clsx(classes.values, isLong && classes.long)}>
      <span className={classes.before}>
        <span className="sr-only">{text.change.before} </span>
        {shown(before)}
      </span>
      <IconArrowNarrowRight size={16} className={classes.arrow} aria-hidden="true" />
      <span className={classes.after}>
        <span className="sr-only">{text.change.after} </span>
        {shown(after)}
      </span>
      {difference !== undefined && difference !== 0 && (
        <Text span size="xs" className={classes.difference}>
          <Quantity change={difference} />
        </Text>
      )}
    </div>
  );
}

/** Long texts go below their label instead of beside it. */
function isLongText(value: Value): boolean {
  return typeof value === "string" && value.length > 16;
}

function shown(value: Value): ReactNode {
  if (typeof value === "number") return grouped(value);
  if (typeof value === "boolean") return value ? text.change.yes : text.change.no;
  return value === null || value === undefined || value === "" ? text.change.none : value;
}
