import type { Order } from "@gamekeeper/client";
import { Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { get } from "~/api";
import { CopyId } from "~/parts/CopyId";
import { partsOf } from "~/parts/orders/address";
import { OrderState } from "~/parts/orders/marks";
import { Page } from "~/parts/Page";
import { Answered, Forbidden } from "~/parts/states";
import { useMay } from "~/session";
import { Back } from "../Back";
import { OrderActions } from "./OrderActions";
import { OrderFacts } from "./OrderFacts";
import { OrderLines } from "./OrderLines";
import { OrderStory } from "./OrderStory";
import classes from "./order.module.css";
import { text } from "./text";

/** One order of a shop: its lines, what happened to it, and what staff can do. */
export function OrderScreen() {
  const { shop, id } = partsOf(useParams({ from: "/orders/$order" }).order);
  const may = useMay("orders.read");
  const order = useQuery({
    ...get("/api/v1/orders/{shop}/{order_id}", { params: { path: { shop, order_id: id } } }),
    enabled: may,
  });
  return (
    <Page
      title={text.title(id)}
      beside={
        <>
          <CopyId id={id} what={text.id} />
          {order.data && <OrderState state={order.data.State} />}
        </>
      }
      action={order.data && <OrderActions order={order.data} />}
    >
      <Group>
        <Back tab="orders">{text.back}</Back>
      </Group>
      {may ? (
        <Answered query={order}>{(found) => <Known order={found} />}</Answered>
      ) : (
        <Forbidden scope="orders.read" />
      )}
    </Page>
  );
}

function Known({ order }: { order: Order }) {
  return (
    <div className={classes.layout}>
      <Stack>
        <OrderLines order={order} />
        <OrderStory order={order} />
      </Stack>
      <OrderFacts order={order} />
    </div>
  );
}
