import type { Guild } from "@gamekeeper/client";
import { Anchor, Button, Group, Popover, Stack, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { get } from "~/api";
import { ActionList } from "~/parts/actions/ActionList";
import { Empty, Failed, Loading } from "~/parts/states";
import { Balance, type Cell, cellsNow, cellsThen } from "~/screens/player/state/items/difference";
import classes from "~/screens/player/state/items/Grid.module.css";
import { type Grid, GridContext } from "~/screens/player/state/items/grid";
import { Facts, type Shown } from "~/screens/player/state/items/SlotCard";
import { SlotGrid } from "~/screens/player/state/items/SlotGrid";
import { TimeBar } from "~/screens/player/state/time/TimeBar";
import { useMay } from "~/session";
import { useGuildHistory } from "./ActivityTab";
import { partOf } from "./parts";
import { text } from "./text";
import { useBankTravel } from "./travel";

const RECENT = 10;

/** The bank as the game draws it, now or at an instant, and what was put in and taken out. */
export function BankTab({ guild }: { guild: Guild }) {
  const mayRead = useMay("actions.read");
  const history = useGuildHistory(guild.Id, mayRead);
  const moves = useMemo(
    () =>
      (history.data?.pages ?? [])
        .flatMap((page) => page.Values)
        .filter((entry) => partOf(entry) === "bank"),
    [history.data],
  );
  const travel = useBankTravel(moves, mayRead && history.isPending);
  const { cells, error } = useBank(guild, travel.ask, travel.isPending);
  const count = (mark: string) => cells?.filter((cell) => cell.mark === mark).length ?? 0;
  return (
    <Stack gap="lg">
      <TimeBar
        created={guild.FoundingDate}
        travel={travel}
        summary={
          travel.at !== undefined && cells
            ? text.bank.summary(count("gone"), count("new"), count("changed"))
            : undefined
        }
      />
      {error && <Failed error={error} />}
      {!error && !cells && <Loading rows={3} height={56} />}
      {cells && <BankGrid cells={cells} isPast={travel.at !== undefined} />}
      {mayRead && (
        <Stack gap="sm">
          <Group justify="space-between">
            <Title order={2} size="h3">
              {text.bank.recent}
            </Title>
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link
                  to="/guilds/$guild"
                  params={{ guild: guild.Id }}
                  search={{ tab: "activity", about: "bank" }}
                  {...props}
                />
              )}
            >
              {text.bank.all}
            </Anchor>
          </Group>
          {history.isPending && <Loading rows={3} height={44} />}
          {history.isSuccess &&
            (moves.length > 0 ? (
              <ActionList entries={moves.slice(0, RECENT)} />
            ) : (
              <Empty title={text.bank.none} hint={text.bank.noneHint} />
            ))}
        </Stack>
      )}
    </Stack>
  );
}

/** The slots now, or then compared with now. */
function useBank(guild: Guild, at: string | undefined, isPending: boolean) {
  const path = { guild_id: guild.Id };
  const address = "/api/v1/guilds/{guild_id}/bank";
  const now = useQuery(get(address, { params: { path, query: { names: true } } }));
  const then = useQuery({
    ...get(address, { params: { path, query: { names: true, ...(at && { at }) } } }),
    enabled: at !== undefined && !isPending,
    placeholderData: keepPreviousData,
  });
  const cells = useMemo<Cell[] | undefined>(() => {
    if (!now.data) return undefined;
    if (at === undefined) return cellsNow(now.data);
    return then.data && cellsThen(then.data, now.data, new Balance(then.data, now.data));
  }, [now.data, then.data, at]);
  return { cells, error: now.error ?? (at === undefined ? null : then.error) };
}

/** As a player's grid, but only to look at: members move items in the game. */
function BankGrid({ cells, isPast }: { cells: Cell[]; isPast: boolean }) {
  const area = useRef<HTMLDivElement>(null);
  const [shown, show] = useState<Shown | null>(null);
  const grid: Grid = {
    isPast,
    mayMove: false,
    mayTake: false,
    mayRestore: false,
    worn: new Set(),
    ticked: new Set(),
    tick: () => undefined,
    openBags: new Set(),
    toggleBag: () => undefined,
    carried: null,
    pickUp: () => undefined,
    dropOn: () => undefined,
    peek: () => undefined,
    take: () => undefined,
    open(spot, element) {
      const base = area.current?.getBoundingClientRect();
      if (!base) return;
      const { left, top, width, height } = element.getBoundingClientRect();
      const box = { left: left - base.left, top: top - base.top, width, height };
      show({ spot, isOpen: true, box });
    },
  };
  return (
    <GridContext value={grid}>
      <div ref={area} className={classes.layout}>
        <SlotGrid title={text.bank.title} label={text.bank.label} place="bank" cells={cells} />
        <BankCard shown={shown} onClose={() => show(null)} />
      </div>
    </GridContext>
  );
}

function BankCard({ shown, onClose }: { shown: Shown | null; onClose: () => void }) {
  const held = shown?.spot.held;
  return (
    <Popover
      opened={Boolean(held)}
      onChange={(opened) => !opened && onClose()}
      onDismiss={onClose}
      position="bottom-start"
      width={280}
      shadow="md"
      withArrow
      withinPortal={false}
      zIndex={20}
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <div style={{ position: "absolute", pointerEvents: "none", ...shown?.box }} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={held?.ItemName ?? ""}>
        {shown && held && (
          <Stack gap="xs">
            <Facts spot={shown.spot} isOpen />
            <Group>
              <Button
                size="compact-sm"
                variant="default"
                renderRoot={(props) => (
                  <Link to="/economy/$item" params={{ item: held.ItemId }} {...props} />
                )}
              >
                {text.bank.economy}
              </Button>
            </Group>
          </Stack>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
