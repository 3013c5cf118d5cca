import type { Order } from "@gamekeeper/client";
import { Stack, Text } from "@mantine/core";
import { gk } from "~/api";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { text } from "./text";

const words = text.dispute;

interface DisputeSheetProps {
  order: Order;
  verdict: NonNullable<Order["Dispute"]>;
  onClose: () => void;
}

/** Record that a payment is disputed, or how the dispute ended. */
export function DisputeSheet({ order, verdict, onClose }: DisputeSheetProps) {
  return (
    <ChangeSheet
      permission="orders.manage"
      opened
      onClose={onClose}
      title={words.title[verdict]}
      whom={text.refund.whom(order.OrderId)}
      subject={{}}
      undoable={false}
      preview={
        <Stack gap="xs">
          <Text size="sm">{words.preview[verdict]}</Text>
          {verdict !== "open" && (
            <Text size="sm" c="dimmed">
              {words.final}
            </Text>
          )}
        </Stack>
      }
      ready
      submitLabel={words.title[verdict]}
      done={words.done(order.OrderId)}
      submit={(reason, init) =>
        gk.post("/api/v1/orders/{shop}/{order_id}/dispute", {
          params: { path: { shop: order.Shop, order_id: order.OrderId } },
          body: { state: verdict, ...(reason && { reason }) },
          ...init,
        })
      }
    />
  );
}
