import type { Player } from "@gamekeeper/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { get } from "~/api";
import type { TimeTravel } from "../time/travel";
import { Balance, type Cell, cellsNow, cellsThen } from "./difference";

export interface Holdings {
  inventory: Cell[];
  bank: Cell[];
}

/** The slots of a character, now or then; those of then are compared with now. */
export function useHoldings(player: Player, { ask: at, isPending }: TimeTravel) {
  const path = { key: player.Id };
  const items = "/api/v1/players/{key}/items";
  const now = useQuery(get(items, { params: { path, query: { names: true } } }));
  const then = useQuery({
    ...get(items, { params: { path, query: { names: true, ...(at && { at }) } } }),
    enabled: at !== undefined && !isPending,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const past = at === undefined ? undefined : then.data;
  const hasBag = [now.data, past].some((held) => held?.inventory.some((slot) => slot.BagId));
  const changes = useQuery({
    ...get("/api/v1/players/{key}/items/changes", {
      params: { path, query: { from: at ?? "" } },
    }),
    enabled: past !== undefined && !isPending && hasBag,
    placeholderData: keepPreviousData,
  });
  const holdings = useMemo<Holdings | undefined>(() => {
    if (!now.data) return undefined;
    const { inventory, bank } = now.data;
    if (at === undefined) return { inventory: cellsNow(inventory), bank: cellsNow(bank) };
    if (!past) return undefined;
    const balance = new Balance(
      [...past.inventory, ...past.bank],
      [...inventory, ...bank],
      changes.data?.Values,
    );
    return {
      inventory: cellsThen(past.inventory, inventory, balance),
      bank: cellsThen(past.bank, bank, balance),
    };
  }, [now.data, past, changes.data, at]);
  const error = now.error ?? (at === undefined ? null : then.error);
  return { holdings, error, retry: () => void now.refetch() };
}
