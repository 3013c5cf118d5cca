import type { AuditLogEntry } from "@gamekeeper/client";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { canonical, stepAt, stepFrom, stepsOf } from "~/screens/player/state/time/moments";
import { knownInstant, type TimeTravel } from "~/screens/player/state/time/travel";

/** Where in time the bank is; `moves` are its deposits and withdrawals, newest first. */
export function useBankTravel(moves: AuditLogEntry[], isPending: boolean): TimeTravel {
  const { at: typed } = useSearch({ from: "/guilds/$guild" });
  const navigate = useNavigate({ from: "/guilds/$guild" });
  const at = knownInstant(typed);
  const steps = useMemo(() => {
    const moments = moves.map(({ At, Kind, Id }) => ({ At, Kind, ActionId: Id }));
    return stepsOf(moments.reverse(), () => true);
  }, [moves]);

  function go(next: string | undefined) {
    void navigate({
      search: ({ at: _, ...others }) => (next === undefined ? others : { ...others, at: next }),
      replace: at !== undefined,
      resetScroll: false,
    });
  }

  return {
    steps,
    here: at === undefined ? steps.length - 1 : stepAt(steps, Date.parse(at)),
    at,
    ask: at === undefined ? at : canonical(steps, at),
    isPending,
    go,
    step(direction) {
      const next = stepFrom(steps, at, direction);
      if (next === null) return false;
      go(next);
      return true;
    },
  };
}
