import {
  IconArrowsMove,
  IconCheck,
  IconChevronDown,
  IconChevronUp,
  IconMinus,
  IconPlus,
  IconShirt,
  IconSparkles,
} from "@tabler/icons-react";
import { clsx } from "clsx";
import type { DragEvent, KeyboardEvent, MouseEvent, ReactNode } from "react";
import { compact } from "~/format";
import { ItemTile } from "~/parts/ItemTile";
import { text } from "../text";
import type { Mark } from "./difference";
import classes from "./Grid.module.css";
import { canTick, type Grid, type Spot, spotKey, useGrid } from "./grid";

interface SlotCellProps {
  spot: Spot;
  isCurrent: boolean;
  onCurrent: () => void;
}

/** One slot: what lies in it, whether it is worn or buffed, and how it differs from now. */
export function SlotCell({ spot, isCurrent, onCurrent }: SlotCellProps) {
  const grid = useGrid();
  const { cell, held } = spot;
  const isTicked = grid.ticked.has(spotKey(spot));
  const isWorn = spot.place === "inventory" && !grid.isPast && grid.worn.has(spot.slot);
  const isCarried = grid.carried !== null && spotKey(grid.carried) === spotKey(spot);
  const isBuffed = held?.StatBuffs.some((buff) => buff !== 0) ?? false;
  const isTickable = grid.isPast && grid.mayRestore && canTick(spot);
  const canDrag = held !== null && !grid.isPast && grid.mayMove;
  const handlers = handlersOf(spot, grid);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table that is laid out as a grid is no table
    <div
      role="gridcell"
      tabIndex={isCurrent ? 0 : -1}
      data-slot={spot.slot}
      aria-label={labelOf(spot, isWorn)}
      aria-selected={isTickable ? isTicked : undefined}
      draggable={canDrag}
      className={clsx(
        classes.cell,
        !held && classes.empty,
        cell.mark && classes[cell.mark],
        cell.isGhost && classes.ghost,
        isTicked && classes.ticked,
        isCarried && classes.carried,
        grid.carried && !isCarried && classes.target,
      )}
      {...handlers}
      onFocus={(event) => {
        onCurrent();
        handlers.onFocus(event.currentTarget);
      }}
    >
      {held && (
        <ItemTile id={held.ItemId} name={held.ItemName} quantity={held.Quantity} size={48} />
      )}
      {isWorn && <Badge icon={<IconShirt size={12} />} corner="topLeft" />}
      {isBuffed && !cell.mark && <Badge icon={<IconSparkles size={12} />} corner="topRight" />}
      {held?.BagId && (
        <Badge
          icon={
            grid.openBags.has(held.BagId) ? (
              <IconChevronUp size={12} />
            ) : (
              <IconChevronDown size={12} />
            )
          }
          corner="bottomLeft"
        />
      )}
      {cell.mark && <span className={classes.sign}>{SIGNS[cell.mark]}</span>}
      {isTickable && (
        <span className={clsx(classes.box, isTicked && classes.checked)} aria-hidden="true">
          {isTicked && <IconCheck size={12} stroke={3} />}
        </span>
      )}
    </div>
  );
}

/** A shape for each difference, for those who see no colour. */
export const SIGNS: Record<Mark, ReactNode> = {
  gone: <IconMinus size={11} stroke={3} aria-hidden="true" />,
  new: <IconPlus size={11} stroke={3} aria-hidden="true" />,
  changed: <span aria-hidden="true">≠</span>,
  moved: <IconArrowsMove size={11} stroke={2.5} aria-hidden="true" />,
};

function Badge({ icon, corner }: { icon: ReactNode; corner: string }) {
  return (
    <span className={clsx(classes.badge, classes[corner])} aria-hidden="true">
      {icon}
    </span>
  );
}

function labelOf({ place, slot, held, cell }: Spot, isWorn: boolean): string {
  const where = text.places.slot(text.places[place], slot);
  if (!held) return `${where}: ${text.places.empty}`;
  // As the tile shows it: what is spoken has what is seen in it.
  const count = held.Quantity === 1 ? "" : `${compact(held.Quantity)} × `;
  const facts = [`${count}${held.ItemName}`];
  if (isWorn) facts.push(text.item.worn);
  if (cell.mark) facts.push(text.marks[cell.mark]);
  return `${where}: ${facts.join(", ")}`;
}

function handlersOf(spot: Spot, grid: Grid) {
  const { held } = spot;
  const isMovable = held !== null && !grid.isPast && grid.mayMove;
  const isTickable = grid.isPast && grid.mayRestore && canTick(spot);

  function act(element: HTMLElement) {
    if (grid.carried) grid.dropOn(spot);
    else if (held) grid.open(spot, element);
  }

  function press(event: KeyboardEvent<HTMLElement>) {
    if (event.target !== event.currentTarget) return;
    const { currentTarget } = event;
    const moves = new Map<string, (() => void) | false | null>([
      ["Enter", () => act(currentTarget)],
      [" ", () => (isTickable ? grid.tick(spot) : act(currentTarget))],
      ["Escape", grid.carried && (() => grid.pickUp(null))],
      ["m", isMovable && (() => grid.pickUp(spot))],
      ["Delete", held !== null && !grid.isPast && grid.mayTake && (() => grid.take(spot))],
      ["o", Boolean(held?.BagId) && (() => held?.BagId && grid.toggleBag(held.BagId))],
    ]);
    const move = event.ctrlKey || event.altKey || event.metaKey ? null : moves.get(event.key);
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  }

  return {
    onKeyDown: press,
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (isTickable) grid.tick(spot);
      else act(event.currentTarget);
    },
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      if (!held) return;
      event.preventDefault();
      grid.open(spot, event.currentTarget);
    },
    onMouseEnter: (event: MouseEvent<HTMLElement>) => {
      if (held && matchMedia("(hover: hover)").matches) grid.peek(spot, event.currentTarget);
    },
    onMouseLeave: () => grid.peek(null),
    onFocus: (element: HTMLElement) => {
      if (element.matches(":focus-visible")) grid.peek(held ? spot : null, element);
    },
    onBlur: () => grid.peek(null),
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", held?.ItemName ?? "");
      grid.peek(null);
      grid.pickUp(spot);
    },
    onDragEnd: () => grid.pickUp(null),
    onDragOver: (event: DragEvent) => {
      if (grid.carried) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      grid.dropOn(spot);
    },
  };
}
