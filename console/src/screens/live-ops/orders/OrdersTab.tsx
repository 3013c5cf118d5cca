import { Button, Stack } from "@mantine/core";
import { IconScale } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { get } from "~/api";
import { OrderList } from "~/parts/orders/OrderList";
import { useOrders } from "~/parts/orders/useOrders";
import { Empty, Failed } from "~/parts/states";
import { Comparison } from "./Comparison";
import { OrderFilters } from "./OrderFilters";
import { text } from "./text";

/** The orders of all shops: found by id, shop, player, account and state. */
export function OrdersTab() {
  const { compare } = useSearch({ from: "/live-ops" });
  return compare ? <Comparison /> : <List />;
}

function List() {
  const { order, shop, account, player, orders: state } = useSearch({ from: "/live-ops" });
  // The service lists by account: of a character, that is asked for first.
  const who = useQuery({
    ...get("/api/v1/players/{key}", { params: { path: { key: player ?? "" } } }),
    enabled: player !== undefined,
  });
  const user = player === undefined ? account : who.data?.UserId;
  const isKnown = player === undefined || user !== undefined;
  const orders = useOrders({ order, shop, user, state }, isKnown);
  const isFiltered = Boolean(order || shop || account || player || state);
  return (
    <Stack>
      <OrderFilters
        beside={
          <Button
            variant="default"
            leftSection={<IconScale size={16} />}
            renderRoot={(props) => (
              <Link to="/live-ops" search={{ tab: "orders", compare: true }} {...props} />
            )}
          >
            {text.compare}
          </Button>
        }
      />
      {who.error ? (
        <Failed error={who.error} />
      ) : (
        <OrderList
          orders={orders}
          empty={
            <Empty
              title={isFiltered ? text.noMatch : text.none}
              hint={isFiltered ? text.noMatchHint : text.noneHint}
            />
          }
        />
      )}
    </Stack>
  );
}
