import { Anchor, Button, Group, Switch, Tooltip } from "@mantine/core";
import { IconArrowLeft, IconDownload } from "@tabler/icons-react";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { config } from "~/config";
import { useIsLive } from "~/live";
import { EverythingButton } from "~/parts/everything/EverythingButton";
import { Page } from "~/parts/Page";
import { ChainBadge } from "./ChainBadge";
import { Filters } from "./Filters";
import { filterOf, type LogFilter } from "./filter";
import { Log } from "./Log";
import { useLog } from "./log";
import { OneAction } from "./OneAction";
import { OneTrade } from "./OneTrade";
import { text } from "./text";

const POLL = 5_000;

/** The log of everything; or one action of it, or one trade, if the address names it. */
export function Actions() {
  const { id, transaction } = useSearch({ from: "/actions" });
  if (!id && !transaction) return <All />;
  return (
    <Page title={transaction ? text.trade.title : text.one} action={<Back />}>
      {transaction ? <OneTrade id={transaction} /> : <OneAction key={id} id={id ?? ""} />}
    </Page>
  );
}

function Back() {
  return (
    <Link to="/actions">
      <Group gap={4} component="span">
        <IconArrowLeft size={16} aria-hidden="true" />
        {text.back}
      </Group>
    </Link>
  );
}

function All() {
  const search = useSearch({ from: "/actions" });
  const navigate = useNavigate({ from: "/actions" });
  const filter = filterOf(search);
  const isLive = useIsLive();
  const log = useLog(filter, true, search.live && !isLive ? POLL : false);
  const actor = actorOf(filter, log.data?.pages[0]?.Values);
  return (
    <Page
      title={text.title}
      beside={<ChainBadge />}
      action={
        <Group gap="sm">
          {/* The command line's actions are those of many people. */}
          {actor && !actor.id.startsWith("cli:") && (
            <EverythingButton
              key={actor.id}
              whose={{ actor: actor.id }}
              name={actor.name}
              from={filter.from}
            />
          )}
          <Tooltip label={text.liveHint}>
            <Switch
              label={text.live}
              checked={search.live === true}
              onChange={(event) => {
                const live = event.currentTarget.checked;
                void navigate({
                  search: (now) => ({ ...filterOf(now), ...(live && { live }) }),
                  replace: true,
                });
              }}
            />
          </Tooltip>
          <Tooltip label={text.exportHint}>
            <Anchor href={exportAddress(filter)} download c="inherit" underline="never">
              <Button component="span" variant="default" leftSection={<IconDownload size={16} />}>
                {text.export}
              </Button>
            </Anchor>
          </Tooltip>
        </Group>
      }
      filters={<Filters entries={log.data?.pages[0]?.Values ?? []} actorName={actor?.name} />}
    >
      <Log key={JSON.stringify(filter)} log={log} />
    </Page>
  );
}

/** Whose actions are shown, if they are those of one: a name may be that of several. */
function actorOf(filter: LogFilter, entries: { Actor: string; ActorName: string }[] = []) {
  const [first] = entries;
  if (!filter.actor || !first) return undefined;
  const isOne = entries.every((entry) => entry.Actor === first.Actor);
  return isOne ? { id: first.Actor, name: first.ActorName } : undefined;
}

/** The browser fetches it itself, with the session's cookie. */
function exportAddress(filter: LogFilter): string {
  return `${config.root}/api/v1/actions/export?${new URLSearchParams({ ...filter })}`;
}
