import type { Player } from "@gamekeeper/client";
import { ActionIcon, Button, Text, Tooltip } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { clsx } from "clsx";
import { useState } from "react";
import { Failed, Loading } from "~/parts/states";
import { useMay } from "~/session";
import { GiveSheet } from "../../changes/GiveSheet";
import { text } from "../text";
import { TimeBar } from "../time/TimeBar";
import type { TimeTravel } from "../time/travel";
import { useServerOf } from "../useServer";
import { BagPanel } from "./BagPanel";
import type { Cell } from "./difference";
import classes from "./Grid.module.css";
import { GridContext, type Place, type Spot, spotKey } from "./grid";
import { SinceThen } from "./SinceThen";
import { SlotCard } from "./SlotCard";
import { SlotGrid } from "./SlotGrid";
import { MoveSheet } from "./sheets/MoveSheet";
import { RestoreSheet } from "./sheets/RestoreSheet";
import { TakeFromSlotSheet } from "./sheets/TakeFromSlotSheet";
import { useHoldings } from "./useHoldings";
import { useItemGrid } from "./useItemGrid";

/** Inventory, bank and bags as the game draws them, now or at an instant. */
export function ItemsTab({ player, travel }: { player: Player; travel: TimeTravel }) {
  const { holdings, error, retry } = useHoldings(player, travel);
  const mayGive = useMay("players.items");
  const [given, give] = useState<{ item?: string } | null>(null);
  const server = useServerOf(player, given !== null) ?? undefined;
  const [isRestoring, restore] = useState(false);
  const { grid, card, sheets, area, tickAll } = useItemGrid(player, travel.ask);
  const isPast = travel.at !== undefined;
  const spots = holdings
    ? [...spotsOf("inventory", holdings.inventory), ...spotsOf("bank", holdings.bank)]
    : [];
  const bags = spots.flatMap(({ held }) =>
    held?.BagId && grid.openBags.has(held.BagId) ? [held] : [],
  );
  const ticked = spots.filter((spot) => grid.ticked.has(spotKey(spot)));

  return (
    <GridContext value={grid}>
      <TimeBar
        created={player.CreationDate}
        travel={travel}
        summary={isPast && holdings ? text.since.summary(...counts(spots)) : undefined}
      />
      {error && <Failed error={error} retry={retry} />}
      {!error && !holdings && <Loading rows={4} height={56} />}
      {!error && holdings && (
        <div ref={area} className={clsx(classes.layout, isPast && classes.withSide)}>
          {isPast && (
            <div className={classes.side}>
              <SinceThen
                spots={spots}
                ticked={grid.ticked}
                onTick={tickAll}
                onRestore={() => restore(true)}
                refusal={mayGive ? undefined : text.item.mayNot("players.items")}
              />
            </div>
          )}
          <div className={classes.places}>
            <div className={classes.left}>
              <SlotGrid
                title={text.places.inventory}
                label={text.places.inventory}
                place="inventory"
                cells={holdings.inventory}
                beside={!isPast && <GiveButton may={mayGive} onClick={() => give({})} />}
              />
              {bags.map((held) => (
                <BagPanel
                  key={held.BagId}
                  bag={held.BagId ?? ""}
                  name={held.ItemName ?? text.places.bag}
                  at={travel.ask}
                />
              ))}
            </div>
            <SlotGrid
              title={text.places.bank}
              label={text.places.bank}
              place="bank"
              cells={holdings.bank}
            />
          </div>
          <SlotCard
            shown={card.shown}
            playerId={player.Id}
            since={travel.at ?? player.CreationDate}
            onClose={card.close}
            onGive={mayGive ? (item) => give({ item }) : undefined}
          />
        </div>
      )}
      {grid.carried && (
        <div className={classes.carryBar} role="status">
          <Text size="sm" style={{ flex: 1 }}>
            {text.carry.carrying(grid.carried.held?.ItemName ?? "")} {text.carry.keys}
          </Text>
          <ActionIcon
            variant="transparent"
            c="inherit"
            aria-label={text.carry.cancel}
            onClick={() => grid.pickUp(null)}
          >
            <IconX size={18} />
          </ActionIcon>
        </div>
      )}
      <GiveSheet
        // A new sheet each time it opens, so that nothing of the last one is left.
        key={given ? (given.item ?? "new") : "closed"}
        player={player}
        server={server}
        opened={given !== null}
        item={given?.item}
        onClose={() => give(null)}
      />
      <TakeFromSlotSheet player={player} spot={sheets.taken} onClose={sheets.close} />
      <MoveSheet player={player} move={sheets.moved} onClose={sheets.close} />
      {travel.ask !== undefined && (
        <RestoreSheet
          player={player}
          at={travel.ask}
          asked={travel.at ?? travel.ask}
          spots={ticked}
          opened={isRestoring}
          onClose={() => restore(false)}
          onDone={() => tickAll(spots, false)}
        />
      )}
    </GridContext>
  );
}

function spotsOf(place: Place, cells: Cell[]): Spot[] {
  return cells.map((cell) => ({ place, slot: cell.slot, cell, held: cell.held }));
}

/** How many are gone, new, changed. */
function counts(spots: Spot[]): [number, number, number] {
  const of = (mark: string) => spots.filter((spot) => spot.cell.mark === mark).length;
  return [of("gone"), of("new"), of("changed")];
}

function GiveButton({ may, onClick }: { may: boolean; onClick: () => void }) {
  return (
    <Tooltip label={text.item.mayNot("players.items")} disabled={may}>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} />}
        data-disabled={!may || undefined}
        aria-disabled={!may}
        onClick={() => may && onClick()}
      >
        {text.item.giveNew}
      </Button>
    </Tooltip>
  );
}
