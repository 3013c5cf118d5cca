import { Group, Select, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ORDER_STATES } from "~/parts/orders/states";
import { text as orders } from "~/parts/orders/text";
import { oneOf } from "~/search";
import { useTyping } from "~/typing";
import type { ordersSearch } from "./search";
import { text } from "./text";
import { WhoFilter } from "./WhoFilter";

/** On a phone, two of them are side by side. */
const HALF = "calc(50% - 6px)";

type Filter = Partial<ReturnType<typeof ordersSearch>>;

/** The filters of the list, each of them in the address. */
export function OrderFilters({ beside }: { beside: ReactNode }) {
  const { order, shop, account, player, orders: state } = useSearch({ from: "/live-ops" });
  const navigate = useNavigate();

  function filter(change: Filter) {
    const wanted = { order, shop, account, player, orders: state, ...change };
    const there = Object.entries(wanted).filter(([, value]) => value);
    const search = { tab: "orders" as const, ...(Object.fromEntries(there) as Filter) };
    void navigate({ to: "/live-ops", search, replace: true });
  }

  const typeOrder = useTyping((typed) => filter({ order: typed.trim() }), 300);
  const typeShop = useTyping((typed) => filter({ shop: typed.trim().toLowerCase() }), 300);

  return (
    <Group gap="sm">
      <TextInput
        aria-label={text.order}
        placeholder={text.order}
        leftSection={<IconSearch size={16} />}
        defaultValue={order ?? ""}
        maxLength={128}
        w={{ base: "100%", xs: 220 }}
        type="search"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => typeOrder(event.currentTarget.value)}
      />
      <WhoFilter
        account={account}
        player={player}
        onChange={(who) => filter({ account: undefined, player: undefined, ...who })}
      />
      <TextInput
        aria-label={text.shop}
        placeholder={text.shop}
        defaultValue={shop ?? ""}
        maxLength={32}
        w={{ base: HALF, xs: 140 }}
        type="search"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => typeShop(event.currentTarget.value)}
      />
      <Select
        aria-label={text.state}
        placeholder={text.anyState}
        w={{ base: HALF, xs: 160 }}
        clearable
        data={ORDER_STATES.map((value) => ({ value, label: orders.states[value] }))}
        value={state ?? null}
        onChange={(value) => filter({ orders: oneOf(value, ORDER_STATES) })}
      />
      {beside}
    </Group>
  );
}
