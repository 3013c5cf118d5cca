import { Button, Group, Popover, Stack, Text, Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { grouped, signed } from "~/format";
import { useItem } from "~/items";
import { CopyId } from "~/parts/CopyId";
import { ItemTile } from "~/parts/ItemTile";
import { text } from "../text";
import { canTick, type Spot, spotKey, useGrid } from "./grid";
import { Origin } from "./Origin";

/** A slot whose card is shown, and where on the screen that is. */
export interface Shown {
  spot: Spot;
  box: { left: number; top: number; width: number; height: number };
  isOpen: boolean;
}

interface SlotCardProps {
  shown: Shown | null;
  playerId: string;
  since: string;
  onClose: () => void;
  onGive: ((item: string) => void) | undefined;
}

/** What is known about the item in a slot; opened, also its way here and what can be done. */
export function SlotCard({ shown, playerId, since, onClose, onGive }: SlotCardProps) {
  return (
    <Popover
      opened={shown !== null}
      onChange={(opened) => !opened && onClose()}
      onDismiss={onClose}
      position="bottom-start"
      width={296}
      shadow="md"
      withArrow
      // In its place in the page, not at its end: it belongs to the slot.
      withinPortal={false}
      zIndex={20}
      trapFocus={shown?.isOpen ?? false}
      returnFocus
      withRoles={false}
      transitionProps={{ duration: 80 }}
      closeOnClickOutside={shown?.isOpen ?? false}
      closeOnEscape
    >
      <Popover.Target>
        <div style={{ position: "absolute", pointerEvents: "none", ...shown?.box }} />
      </Popover.Target>
      <Popover.Dropdown
        {...(shown?.isOpen
          ? { role: "dialog", "aria-label": shown.spot.held?.ItemName ?? "" }
          : { role: "tooltip", style: { pointerEvents: "none" } })}
      >
        {shown?.spot.held && (
          <Stack gap="xs">
            <Facts spot={shown.spot} isOpen={shown.isOpen} />
            {shown.isOpen ? (
              <>
                <Actions spot={shown.spot} onClose={onClose} onGive={onGive} />
                <Origin playerId={playerId} held={shown.spot.held} since={since} />
              </>
            ) : (
              <Hint spot={shown.spot} />
            )}
          </Stack>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

/** What is known about the item, and how many there are. */
export function Facts({ spot, isOpen }: { spot: Spot; isOpen: boolean }) {
  const { held, cell } = spot;
  const grid = useGrid();
  const item = useItem(held?.ItemId ?? "");
  if (!held) return null;
  const buffs = held.StatBuffs.map((buff, index) => [text.stats[index], buff] as const);
  const lines = [
    item &&
      (item.Stackable
        ? text.item.stack(grouped(item.InventoryStack), grouped(item.BankStack))
        : text.item.single),
    item?.Value != null && text.item.value(grouped(item.Value)),
    item && !item.Bankable && text.item.notBankable,
  ].filter(Boolean);
  return (
    <>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <ItemTile id={held.ItemId} name={held.ItemName} size={44} />
        <div>
          <Group gap={4} wrap="nowrap">
            <Text fw={650} lh={1.3}>
              {held.Quantity !== 1 && `${grouped(held.Quantity)} × `}
              {held.ItemName}
            </Text>
            {isOpen && <CopyId id={held.ItemId} what={held.ItemName ?? ""} />}
          </Group>
          <Text size="sm" c="dimmed">
            {item ? (text.item.type[item.Type] ?? item.Type) : ""}
            {spot.place === "inventory" &&
              !grid.isPast &&
              grid.worn.has(spot.slot) &&
              ` · ${text.item.worn}`}
          </Text>
        </div>
      </Group>
      {buffs.some(([, buff]) => buff !== 0) && (
        <Group gap="xs">
          {buffs
            .filter(([, buff]) => buff !== 0)
            .map(([stat, buff]) => (
              <Text
                key={stat}
                size="sm"
                fw={600}
                c={buff > 0 ? "var(--gk-gain)" : "var(--gk-loss)"}
              >
                {signed(buff)} {stat}
              </Text>
            ))}
        </Group>
      )}
      <Text size="xs" c="dimmed">
        {lines.join(" · ")}
      </Text>
      {cell.mark && <Difference spot={spot} />}
    </>
  );
}

function Difference({ spot: { cell } }: { spot: Spot }) {
  const now = cell.now
    ? `${cell.now.Quantity === 1 ? "" : `${grouped(cell.now.Quantity)} × `}${cell.now.ItemName}`
    : text.item.nothing;
  let told: ReactNode = null;
  if (cell.lost > 0) told = text.item.lost(grouped(cell.lost));
  else if (cell.mark === "moved" && !cell.isGhost) told = text.item.movedHint;
  else if (cell.mark === "new") told = text.item.newHint;
  return (
    <Text size="sm">
      {told && (
        <Text span inherit fw={600} c={cell.lost > 0 ? "var(--gk-loss)" : undefined}>
          {told}
          <br />
        </Text>
      )}
      {text.item.nowHere} {now}
    </Text>
  );
}

function Hint({ spot }: { spot: Spot }) {
  const grid = useGrid();
  const hint = grid.isPast
    ? canTick(spot)
      ? text.item.hintPast
      : null
    : grid.mayMove
      ? text.item.hint
      : text.item.hintRead;
  return (
    hint && (
      <Text size="xs" c="dimmed">
        {hint}
      </Text>
    )
  );
}

interface ActionsProps {
  spot: Spot;
  onClose: () => void;
  onGive: ((item: string) => void) | undefined;
}

function Actions({ spot, onClose, onGive }: ActionsProps) {
  const grid = useGrid();
  const { held } = spot;
  if (!held) return null;
  const then = (act: () => void) => () => {
    onClose();
    act();
  };
  const bag = held.BagId;
  return (
    <Group gap={6}>
      {bag && (
        <Button size="compact-sm" onClick={then(() => grid.toggleBag(bag))}>
          {grid.openBags.has(bag) ? text.item.closeBag : text.item.openBag}
        </Button>
      )}
      {grid.isPast && canTick(spot) && (
        <Button size="compact-sm" onClick={then(() => grid.tick(spot))}>
          {grid.ticked.has(spotKey(spot)) ? text.item.untick : text.item.tick}
        </Button>
      )}
      {!grid.isPast && (
        <>
          <Allowed
            may={onGive !== undefined}
            scope="players.items"
            onClick={then(() => onGive?.(held.ItemId))}
          >
            {text.item.give}
          </Allowed>
          <Allowed may={grid.mayTake} scope="players.items" onClick={then(() => grid.take(spot))}>
            {text.item.take}
          </Allowed>
          <Allowed may={grid.mayMove} scope="transactions" onClick={then(() => grid.pickUp(spot))}>
            {text.item.move}
          </Allowed>
        </>
      )}
      <Button
        size="compact-sm"
        variant="default"
        renderRoot={(props) => (
          <Link to="/economy/$item" params={{ item: held.ItemId }} {...props} />
        )}
      >
        {text.item.economy}
      </Button>
    </Group>
  );
}

interface AllowedProps {
  may: boolean;
  scope: string;
  onClick: () => void;
  children: ReactNode;
}

function Allowed({ may, scope, onClick, children }: AllowedProps) {
  return (
    <Tooltip label={text.item.mayNot(scope)} disabled={may}>
      <Button
        size="compact-sm"
        variant="default"
        data-disabled={!may || undefined}
        aria-disabled={!may}
        onClick={() => may && onClick()}
      >
        {children}
      </Button>
    </Tooltip>
  );
}
