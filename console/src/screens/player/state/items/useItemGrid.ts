import type { Player } from "@gamekeeper/client";
import { useEffect, useMemo, useRef, useState } from "react";
import { useMay } from "~/session";
import { canTick, type Grid, type Spot, spotKey } from "./grid";
import type { Shown } from "./SlotCard";

const PEEK_MS = 250;

interface Ticks {
  at: string | undefined;
  keys: ReadonlySet<string>;
}

/** The state of the grids of a tab: ticks, open bags, what is carried, whose card is shown. */
export function useItemGrid(player: Player, at: string | undefined) {
  const area = useRef<HTMLDivElement>(null);
  const timer = useRef(0);
  const [shown, setShown] = useState<Shown | null>(null);
  const [ticks, setTicks] = useState<Ticks>({ at, keys: new Set() });
  const [openBags, setOpenBags] = useState<ReadonlySet<string>>(new Set());
  const [carried, pickUp] = useState<Spot | null>(null);
  const [taken, take] = useState<Spot | null>(null);
  const [moved, move] = useState<{ from: Spot; to: Spot } | null>(null);
  const mayMove = useMay("transactions");
  const mayTake = useMay("players.items");
  const worn = useMemo(
    () => new Set(player.Equipment.filter((slot) => slot >= 0)),
    [player.Equipment],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  // Ticks belong to an instant: at another one the slot may have held something else.
  const keys = ticks.at === at ? ticks.keys : new Set<string>();

  function placed(spot: Spot, element: HTMLElement, isOpen: boolean): Shown | null {
    const base = area.current?.getBoundingClientRect();
    if (!base) return null;
    const { left, top, width, height } = element.getBoundingClientRect();
    return { spot, isOpen, box: { left: left - base.left, top: top - base.top, width, height } };
  }

  function tickAll(spots: Spot[], isTicked: boolean) {
    const next = new Set(keys);
    for (const spot of spots) {
      if (isTicked && canTick(spot)) next.add(spotKey(spot));
      else next.delete(spotKey(spot));
    }
    setTicks({ at, keys: next });
  }

  const grid: Grid = {
    isPast: at !== undefined,
    mayMove,
    mayTake,
    mayRestore: true,
    worn,
    ticked: keys,
    tick: (spot) => tickAll([spot], !keys.has(spotKey(spot))),
    openBags,
    toggleBag: (bag) => setOpenBags((now) => toggled(now, bag)),
    carried,
    pickUp,
    dropOn(to) {
      if (carried && spotKey(carried) !== spotKey(to)) move({ from: carried, to });
      pickUp(null);
    },
    peek(spot, element) {
      clearTimeout(timer.current);
      if (!spot || !element || carried) return setShown((now) => (now?.isOpen ? now : null));
      timer.current = window.setTimeout(() => {
        if (element.isConnected)
          setShown((now) => (now?.isOpen ? now : placed(spot, element, false)));
      }, PEEK_MS);
    },
    open(spot, element) {
      clearTimeout(timer.current);
      setShown(placed(spot, element, true));
    },
    take,
  };

  function close() {
    take(null);
    move(null);
  }

  return {
    grid,
    area,
    tickAll,
    card: { shown, close: () => setShown(null) },
    sheets: { taken, moved, close },
  };
}

function toggled(set: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(key)) next.add(key);
  return next;
}
