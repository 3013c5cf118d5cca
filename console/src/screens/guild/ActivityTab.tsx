import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { gk } from "~/api";
import { ActionList } from "~/parts/actions/ActionList";
import { Empty, Failed, Loading } from "~/parts/states";
import { oneOf } from "~/search";
import { partOf } from "./parts";
import { PARTS } from "./search";
import { text } from "./text";

const LIMIT = 60;

/** Everything that happened to a guild, newest first, also to one that is gone. */
export function ActivityTab({ guild }: { guild: string }) {
  const { about } = useSearch({ from: "/guilds/$guild" });
  const navigate = useNavigate({ from: "/guilds/$guild" });
  const history = useGuildHistory(guild);
  if (history.isPending) return <Loading rows={8} height={44} />;
  if (history.isError) return <Failed error={history.error} retry={() => void history.refetch()} />;
  const all = history.data.pages.flatMap((page) => page.Values);
  const shown = all.filter((entry) => !about || partOf(entry) === about);
  return (
    <Stack gap="md">
      <Select
        aria-label={text.activity.about}
        placeholder={text.activity.all}
        clearable
        maw={240}
        data={PARTS.map((value) => ({ value, label: text.activity.parts[value] }))}
        value={about ?? null}
        onChange={(value) => {
          const wanted = oneOf(value, PARTS);
          void navigate({
            search: ({ about: _, ...now }) => ({ ...now, ...(wanted && { about: wanted }) }),
            replace: true,
          });
        }}
      />
      {shown.length > 0 ? (
        <ActionList entries={shown} />
      ) : (
        <Empty
          title={about ? text.activity.noMatch : text.activity.empty}
          hint={about && history.hasNextPage ? text.activity.noMatchYet : text.activity.hint}
        />
      )}
      <Group justify="center">
        {history.hasNextPage ? (
          <Button
            variant="default"
            loading={history.isFetchingNextPage}
            onClick={() => void history.fetchNextPage()}
          >
            {text.activity.earlier}
          </Button>
        ) : (
          shown.length > 0 && (
            <Text size="sm" c="dimmed">
              {text.activity.beginning}
            </Text>
          )
        )}
      </Group>
    </Stack>
  );
}

/** The log of a guild, page by page; the bank's marks in time come from the same reads. */
export function useGuildHistory(guild: string, enabled = true) {
  return useInfiniteQuery({
    queryKey: ["/api/v1/guilds/{guild_id}/history", { path: { guild_id: guild } }, "pages"],
    queryFn: ({ pageParam, signal }) =>
      gk.get("/api/v1/guilds/{guild_id}/history", {
        params: {
          path: { guild_id: guild },
          query: { limit: LIMIT, names: true, ...(pageParam && { cursor: pageParam }) },
        },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: (last) => last.Next ?? undefined,
    enabled,
  });
}
