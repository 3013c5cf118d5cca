import { CloseButton, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get } from "~/api";
import { Loading } from "~/parts/states";
import { text } from "../text";
import { Balance, cellsNow, cellsThen } from "./difference";
import classes from "./Grid.module.css";
import { useGrid } from "./grid";
import { SlotGrid } from "./SlotGrid";

interface BagPanelProps {
  bag: string;
  name: string;
  at: string | undefined;
}

/** What is in a bag, below the inventory in which it lies. */
export function BagPanel({ bag, name, at }: BagPanelProps) {
  const grid = useGrid();
  const path = { bag_id: bag };
  const address = "/api/v1/players/bag/{bag_id}";
  const now = useQuery(get(address, { params: { path, query: { names: true } } }));
  const then = useQuery({
    ...get(address, { params: { path, query: { names: true, ...(at && { at }) } } }),
    enabled: at !== undefined,
    placeholderData: keepPreviousData,
  });
  // A bag that is gone has no now, one that came later no then; the other side tells its size.
  const slots = at === undefined ? now.data?.Slots : (then.data?.Slots ?? now.data?.Slots);
  const isPending = now.isPending || (at !== undefined && then.isPending);
  const close = <CloseButton aria-label={text.item.closeBag} onClick={() => grid.toggleBag(bag)} />;
  if (!slots) {
    return (
      <div className={classes.bagPanel}>
        {close}
        {isPending ? (
          <Loading rows={1} height={56} />
        ) : (
          <Text c="dimmed">{text.places.outside}</Text>
        )}
      </div>
    );
  }
  const current = now.data?.Slots ?? [];
  const cells =
    at === undefined ? cellsNow(slots) : cellsThen(slots, current, new Balance(slots, current));
  return (
    <div className={classes.bagPanel}>
      <SlotGrid title={name} label={name} place="bag" bag={bag} cells={cells} beside={close} />
    </div>
  );
}
