import { isError } from "@gamekeeper/client";
import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useThrottledCallback } from "@mantine/hooks";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useIsLive, useLive } from "~/live";
import { ActionList } from "~/parts/actions/ActionList";
import { type Entry, isShared } from "~/parts/actions/entry";
import { factsOf } from "~/parts/actions/kinds";
import { Empty, Failed, Loading } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import classes from "./Actions.module.css";
import { BulkUndoSheet } from "./BulkUndoSheet";
import { filterOf, matches } from "./filter";
import type { useLog } from "./log";
import { text } from "./text";

const REFRESH = 1_500;

/** The log itself: day by day, some of it chosen, what is new at the top. */
export function Log({ log }: { log: ReturnType<typeof useLog> }) {
  const search = useSearch({ from: "/actions" });
  const filter = filterOf(search);
  const mayUndo = useMay("actions.undo");
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [undoing, setUndoing] = useState(false);
  const { fresh, show } = useFresh(log, search.live === true);

  if (log.isPending) return <Loading rows={10} height={44} />;
  const unknown = log.isError ? unknownOf(log.error) : undefined;
  if (unknown) return <Unknown {...unknown} />;
  if (log.isError) return <Failed error={log.error} retry={() => void log.refetch()} />;
  const entries: Entry[] = log.data.pages.flatMap((page) => page.Values);
  const chosen = entries.filter((entry) => selected.has(entry.Id));
  const searchedTo = log.data.pages.at(-1)?.SearchedTo;
  const isFiltered = Object.keys(filter).length > 0;

  function select(id: string, isOn: boolean) {
    const next = new Set(selected);
    if (isOn) next.add(id);
    else next.delete(id);
    setSelected(next);
  }

  return (
    <Stack gap="md">
      {fresh > 0 && (
        <Button className={classes.fresh} size="compact-md" radius="xl" onClick={show}>
          {text.fresh(fresh)}
        </Button>
      )}
      {entries.length > 0 ? (
        <ActionList
          entries={entries}
          selected={selected}
          {...(mayUndo && { onSelect: select })}
          selectable={isSelectable}
        />
      ) : (
        <Empty
          title={isFiltered ? text.empty : text.none}
          {...(isFiltered && { hint: text.emptyHint })}
        />
      )}
      <Group justify="center" gap="sm">
        {searchedTo && (
          <Text size="sm" c="dimmed">
            {text.searched} <When at={searchedTo} span />
          </Text>
        )}
        {log.hasNextPage ? (
          <Button
            variant="default"
            loading={log.isFetchingNextPage}
            onClick={() => void log.fetchNextPage()}
          >
            {searchedTo ? text.further : text.earlier}
          </Button>
        ) : (
          entries.length > 0 &&
          !isFiltered && (
            <Text size="sm" c="dimmed">
              {text.end}
            </Text>
          )
        )}
      </Group>
      {chosen.length > 0 && (
        <Paper withBorder className={classes.bar} role="region" aria-label={text.select.bar}>
          <Text fw={600}>{text.select.count(chosen.length)}</Text>
          <Group gap="xs">
            <Button variant="default" onClick={() => setSelected(new Set())}>
              {text.select.clear}
            </Button>
            <Button onClick={() => setUndoing(true)}>{text.select.undo}</Button>
          </Group>
        </Paper>
      )}
      <BulkUndoSheet
        entries={chosen}
        opened={undoing}
        onClose={() => setUndoing(false)}
        onDone={() => setSelected(new Set())}
      />
    </Stack>
  );
}

const UNKNOWN = {
  unknown_actor: "actor",
  player_not_found: "player",
  user_not_found: "user",
} as const;

interface UnknownProps {
  filter: (typeof UNKNOWN)[keyof typeof UNKNOWN];
  nearest: string[];
}

/** The filter that names nobody, if that is why there is no log. */
function unknownOf(error: Error): UnknownProps | undefined {
  if (!isError(error)) return undefined;
  const code = (Object.keys(UNKNOWN) as (keyof typeof UNKNOWN)[]).find((one) => one === error.code);
  const { Nearest } = error.details;
  const nearest = Array.isArray(Nearest) ? Nearest.map(String) : [];
  return code && { filter: UNKNOWN[code], nearest };
}

/** Nobody is called that: nothing failed, and the nearest names are a click away. */
function Unknown({ filter, nearest }: UnknownProps) {
  const search = useSearch({ from: "/actions" });
  const links = nearest.map((name) => (
    <Link key={name} to="/actions" search={{ ...search, [filter]: name }}>
      {text.unknown.near(name)}
    </Link>
  ));
  return (
    <Empty
      title={text.unknown[filter](search[filter] ?? "")}
      hint={text.unknown.hint}
      action={<Group gap="md">{links}</Group>}
    />
  );
}

/** Only what can be undone by itself. */
function isSelectable(entry: Entry): boolean {
  return factsOf(entry.Kind).undo !== undefined && !entry.UndoneBy && !isShared(entry);
}

/** How much has happened since the log was read; with the tail on it is read again at once. */
function useFresh(log: ReturnType<typeof useLog>, tails: boolean) {
  const filter = filterOf(useSearch({ from: "/actions" }));
  const isLive = useIsLive();
  const [seen, setSeen] = useState<{ at: number; count: number }>({ at: 0, count: 0 });
  const read = useThrottledCallback(() => void log.refetch(), REFRESH);
  useLive(undefined, (event) => {
    if (!matches(event, filter)) return;
    if (tails) read();
    else
      setSeen(({ at, count }) =>
        at === log.dataUpdatedAt ? { at, count: count + 1 } : { at: log.dataUpdatedAt, count: 1 },
      );
  });
  const fresh = !tails && isLive && seen.at === log.dataUpdatedAt ? seen.count : 0;
  return { fresh, show: () => void log.refetch() };
}
