import type { User } from "@gamekeeper/client";
import { OrderList } from "~/parts/orders/OrderList";
import { useOrders } from "~/parts/orders/useOrders";
import { Empty, Forbidden } from "~/parts/states";
import { useMay } from "~/session";
import { text } from "./text";

/** The orders that the account receives or paid. */
export function OrdersTab({ user }: { user: User }) {
  const may = useMay("orders.read");
  const orders = useOrders({ user: user.Id }, may);
  if (!may) return <Forbidden scope="orders.read" />;
  return (
    <OrderList
      orders={orders}
      empty={<Empty title={text.orders.none} hint={text.orders.noneHint} />}
    />
  );
}
