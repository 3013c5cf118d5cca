import type { Player } from "@gamekeeper/client";
import { Button, Group, Select, Stack, Switch, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { gk } from "~/api";
import { rememberNames } from "~/names";
import { ActionList } from "~/parts/actions/ActionList";
import { factsOf } from "~/parts/actions/kinds";
import { GROUPS } from "~/parts/actions/kinds.generated";
import { text as words } from "~/parts/actions/text";
import { EverythingButton } from "~/parts/everything/EverythingButton";
import { Empty, Failed, Loading } from "~/parts/states";
import { When } from "~/parts/When";
import { text } from "../text";
import classes from "./TimelineTab.module.css";

const LIMIT = 60;

/** Everything that happened to a character, newest first. */
export function TimelineTab({ player }: { player: Player }) {
  const { kinds, actor, all: isWhole = false } = useSearch({ from: "/players/$key" });
  const navigate = useNavigate({ from: "/players/$key" });
  const history = useHistory(player.Id);

  if (history.isPending) return <Loading rows={8} height={44} />;
  if (history.isError) return <Failed error={history.error} retry={() => void history.refetch()} />;
  const all = history.data.pages.flatMap((page) => page.Values);
  const shown = all.filter(
    (entry) => (!kinds || factsOf(entry.Kind).group === kinds) && (!actor || entry.Actor === actor),
  );
  const isFiltered = kinds !== undefined || actor !== undefined;
  const oldest = all.at(-1);

  function filter(change: { kinds?: string | null; actor?: string | null; all?: true | null }) {
    void navigate({
      search: (now) => {
        const next = { ...now, ...change };
        return Object.fromEntries(Object.entries(next).filter(([, value]) => value));
      },
      replace: true,
    });
  }

  return (
    <Stack gap="md">
      <Group gap="sm">
        <Select
          aria-label={text.timeline.kinds}
          placeholder={text.timeline.allKinds}
          clearable
          className={classes.filter}
          data={GROUPS.filter(
            (group) => group === kinds || all.some((entry) => factsOf(entry.Kind).group === group),
          ).map((group) => ({ value: group, label: words.groups[group] }))}
          value={kinds ?? null}
          onChange={(value) => filter({ kinds: value })}
        />
        <Select
          aria-label={text.timeline.actor}
          placeholder={text.timeline.anybody}
          clearable
          searchable
          className={classes.filter}
          data={actorsOf(all)}
          value={actor ?? null}
          onChange={(value) => filter({ actor: value })}
        />
        <Switch
          label={text.timeline.all}
          checked={isWhole}
          onChange={(event) => filter({ all: event.currentTarget.checked || null })}
        />
        <span className={classes.spacer} />
        <EverythingButton whose={{ player: player.Id }} name={player.Name} />
      </Group>
      {shown.length > 0 ? (
        <ActionList
          folded={!isWhole}
          entries={shown}
          about={{ player: { id: player.Id, name: player.Name } }}
        />
      ) : (
        <Empty
          title={isFiltered ? text.timeline.noMatch : text.timeline.empty}
          hint={isFiltered && history.hasNextPage ? text.timeline.noMatchYet : text.timeline.hint}
        />
      )}
      <Group justify="center" gap="sm">
        {isFiltered && history.hasNextPage && oldest && (
          <Text size="sm" c="dimmed">
            {text.timeline.lookedBack} <When at={oldest.At} span />
          </Text>
        )}
        {history.hasNextPage ? (
          <Button
            variant="default"
            loading={history.isFetchingNextPage}
            onClick={() => void history.fetchNextPage()}
          >
            {isFiltered ? text.timeline.further : text.timeline.earlier}
          </Button>
        ) : (
          shown.length > 0 && (
            <Text size="sm" c="dimmed">
              {text.timeline.beginning}
            </Text>
          )
        )}
      </Group>
    </Stack>
  );
}

function useHistory(key: string) {
  return useInfiniteQuery({
    queryKey: ["/api/v1/players/{key}/history", { path: { key } }, "pages"],
    queryFn: async ({ pageParam, signal }) => {
      const page = await gk.get("/api/v1/players/{key}/history", {
        params: {
          path: { key },
          query: { limit: LIMIT, names: true, ...(pageParam && { cursor: pageParam }) },
        },
        signal,
      });
      rememberNames(page.CatalogNames);
      return page;
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.Next ?? undefined,
  });
}

function actorsOf(entries: { Actor: string; ActorName: string }[]) {
  const names = new Map(entries.map((entry) => [entry.Actor, entry.ActorName]));
  return [...names].map(([value, label]) => ({ value, label }));
}
