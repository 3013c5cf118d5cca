import type { Player } from "@gamekeeper/client";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { get } from "~/api";
import { canonical, type Step, stepAt, stepFrom, stepsOf } from "./moments";

export type TravelTab = "items" | "spells" | "variables";

/** Kinds that surely do not change what a tab shows; an undo or an import may change anything. */
const OTHERS: Record<TravelTab, RegExp> = {
  items: /^(spells|variables)\.|^players\.(progress|rename|class|sheet)$/,
  spells: /^(items|variables)\.|^players\.(progress|rename|sheet)$/,
  variables: /^(items|spells)\.|^players\.(progress|rename|class|sheet)$/,
};

export interface TimeTravel {
  steps: Step[];
  /** The step that had happened last. */
  here: number;
  /** The instant in the address; undefined: now. */
  at: string | undefined;
  /** What to ask the service for: the same for all instants between two changes. */
  ask: string | undefined;
  /** Whether the changes are not known yet, and with them what to ask for. */
  isPending: boolean;
  go: (at: string | undefined) => void;
  /** One change back or forth; false: there is none. */
  step: (direction: -1 | 1) => boolean;
}

/** Whether the address has an instant that can be read. */
export function knownInstant(at: string | undefined): string | undefined {
  return at !== undefined && !Number.isNaN(Date.parse(at)) ? at : undefined;
}

/** Where in time a tab is, and the ways from there. */
export function useTimeTravel(player: Player, tab: TravelTab, typed: string | undefined) {
  const navigate = useNavigate({ from: "/players/$key" });
  const at = knownInstant(typed);
  const moments = useQuery(
    get("/api/v1/players/{key}/moments", { params: { path: { key: player.Id } } }),
  );
  const steps = useMemo(
    () => stepsOf(moments.data?.Values ?? [], (kind) => !OTHERS[tab].test(kind)),
    [moments.data, tab],
  );

  function go(next: string | undefined) {
    void navigate({
      search: ({ at: _, ...others }) => (next === undefined ? others : { ...others, at: next }),
      // The first step back can be left with the browser's own Back; the next ones replace it.
      replace: at !== undefined,
      resetScroll: false,
    });
  }

  const travel: TimeTravel = {
    steps,
    here: at === undefined ? steps.length - 1 : stepAt(steps, Date.parse(at)),
    at,
    ask: at === undefined ? at : canonical(steps, at),
    isPending: moments.isPending,
    go,
    step(direction) {
      const next = stepFrom(steps, at, direction);
      if (next === null) return false;
      go(next);
      return true;
    },
  };
  return travel;
}
