import type { Slot } from "@gamekeeper/client";
import { createContext, useContext } from "react";
import type { Cell } from "./difference";

export type Place = "inventory" | "bank" | "bag";

/** One slot of a character, somewhere. */
export interface Spot {
  place: Place;
  bag?: string | undefined;
  slot: number;
  cell: Cell;
  held: Slot | null;
}

export function spotKey({ place, bag, slot }: Pick<Spot, "place" | "bag" | "slot">): string {
  return `${place}:${bag ?? ""}:${slot}`;
}

/** What the cells of all grids on the tab can do. */
export interface Grid {
  isPast: boolean;
  mayMove: boolean;
  mayTake: boolean;
  /** Whether what is ticked can come back. */
  mayRestore: boolean;
  worn: ReadonlySet<number>;
  ticked: ReadonlySet<string>;
  tick: (spot: Spot) => void;
  openBags: ReadonlySet<string>;
  toggleBag: (bag: string) => void;
  carried: Spot | null;
  pickUp: (spot: Spot | null) => void;
  dropOn: (spot: Spot) => void;
  /** Show its card for a moment, as long as the pointer or the focus is there. */
  peek: (spot: Spot | null, element?: HTMLElement) => void;
  /** Open its card with all that can be done. */
  open: (spot: Spot, element: HTMLElement) => void;
  take: (spot: Spot) => void;
}

export const GridContext = createContext<Grid | null>(null);

export function useGrid(): Grid {
  const grid = useContext(GridContext);
  if (!grid) throw new Error("No grid around this slot.");
  return grid;
}

/** Whether a tick on it can bring something back: what lay in a bag cannot be named. */
export function canTick(spot: Spot): boolean {
  return spot.cell.lost > 0 && spot.place !== "bag";
}
