import type { Order } from "@gamekeeper/client";
import { Text } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { type Column, DataTable } from "~/parts/DataTable";
import people from "~/parts/people.module.css";
import { When } from "~/parts/When";
import { addressOf } from "./address";
import { OrderState, Receiver } from "./marks";
import { priceOf } from "./order";
import { text } from "./text";

const COLUMNS: Column<Order>[] = [
  {
    key: "order",
    title: text.order,
    cell: (order) => (
      <>
        <OrderLink shop={order.Shop} id={order.OrderId} />
        <Text size="xs" c="dimmed">
          {order.Shop}
        </Text>
      </>
    ),
  },
  { key: "state", title: text.state, cell: (order) => <OrderState state={order.State} /> },
  {
    key: "receiver",
    title: text.receiver,
    cell: (order) => <Receiver order={order} />,
    secondary: true,
  },
  { key: "amount", title: text.amount, numeric: true, cell: priceOf, secondary: true },
  {
    key: "paid",
    title: text.paid,
    cell: (order) => <When at={order.PaidAt ?? order.CreatedAt} size="sm" />,
  },
];

/** Orders, newest first; each row opens its page. */
export function OrderTable({ orders }: { orders: Order[] }) {
  const navigate = useNavigate();
  return (
    <DataTable
      label={text.label}
      columns={COLUMNS}
      rows={orders}
      rowKey={(order) => order.Id}
      onOpen={({ Shop, OrderId }) =>
        void navigate({ to: "/orders/$order", params: { order: addressOf(Shop, OrderId) } })
      }
    />
  );
}

export function OrderLink({ shop, id }: { shop: string; id: string }) {
  return (
    <Link
      to="/orders/$order"
      params={{ order: addressOf(shop, id) }}
      className={people.link}
      onClick={(event) => event.stopPropagation()}
    >
      {id}
    </Link>
  );
}
