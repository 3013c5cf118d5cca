import { Paper, Stack, Title } from "@mantine/core";
import { useNow } from "~/parts/When";
import { useTimeZone } from "~/preferences";
import { ActionRow } from "./ActionRow";
import classes from "./actions.module.css";
import { daysOf, dayTitle } from "./days";
import type { Entry } from "./entry";
import { FoldRow } from "./FoldRow";
import { foldsOf, isFold } from "./folds";
import type { About } from "./people";

interface ActionListProps {
  entries: Entry[];
  about?: About | undefined;
  /** The ids that are chosen, and what to do when that changes. */
  selected?: ReadonlySet<string>;
  onSelect?: (id: string, selected: boolean) => void;
  /** Which may be chosen. */
  selectable?: (entry: Entry) => boolean;
  /** Whether repeats of the game are one line. */
  folded?: boolean;
}

/** Actions, newest first, day by day. */
export function ActionList(props: ActionListProps) {
  const { entries, about, selected, onSelect, selectable, folded = false } = props;
  const [zone] = useTimeZone();
  const now = useNow();
  const known = new Map(entries.map((entry) => [entry.Id, entry]));
  return (
    <Stack gap="lg">
      {daysOf(entries, zone).map(({ day, entries: some }) => (
        <section key={day} aria-label={dayTitle(day, now, zone)}>
          <Title order={2} className={classes.day}>
            {dayTitle(day, now, zone)}
          </Title>
          <Paper withBorder component="ul" className={classes.list}>
            {(folded ? foldsOf(some) : some).map((entry) =>
              isFold(entry) ? (
                <FoldRow key={entry.key} fold={entry} about={about} known={known} />
              ) : (
                <ActionRow
                  key={entry.Id}
                  entry={entry}
                  about={about}
                  known={known}
                  selected={selected?.has(entry.Id) ?? false}
                  hasSelection={onSelect !== undefined}
                  onSelect={
                    onSelect && selectable?.(entry) !== false
                      ? (chosen) => onSelect(entry.Id, chosen)
                      : undefined
                  }
                />
              ),
            )}
          </Paper>
        </section>
      ))}
    </Stack>
  );
}
