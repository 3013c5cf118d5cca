import type { Order, OrderLine } from "@gamekeeper/client";
import { Checkbox, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { gk } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { lineInWords } from "~/parts/orders/order";
import { text } from "./text";

const words = text.refund;

/** The lines that a refund would still change; one that was lost is tried again. */
export function refundable(order: Order): OrderLine[] {
  return order.Lines.filter(({ State }) => State !== "cancelled" && State !== "returned");
}

/** Record a refund of some lines, and take back what they delivered. */
export function RefundSheet({ order, onClose }: { order: Order; onClose: () => void }) {
  const lines = refundable(order);
  const [chosen, setChosen] = useState(lines.map(({ Number: number }) => String(number)));
  const isAll = chosen.length === order.Lines.length;
  const taken = lines.filter(({ Number: number }) => chosen.includes(String(number)));
  return (
    <ChangeSheet
      permission="orders.manage"
      opened
      onClose={onClose}
      title={words.title}
      whom={words.whom(order.OrderId)}
      subject={{}}
      undoable={false}
      preview={
        taken.length > 0 && (
          <Stack gap="xs">
            <BeforeAfter
              changes={taken.map((line) => ({
                key: String(line.Number),
                label: lineInWords(line),
                before: words.now[line.State],
                after: words.after[line.State],
              }))}
            />
            <Text size="sm" c="dimmed">
              {words.note}
            </Text>
          </Stack>
        )
      }
      ready={taken.length > 0}
      submitLabel={words.submit(taken.length)}
      done={words.done(order.OrderId)}
      submit={(reason, init) =>
        gk.post("/api/v1/orders/{shop}/{order_id}/refund", {
          params: { path: { shop: order.Shop, order_id: order.OrderId } },
          // Without lines it is the whole order, and known as such to reconciliation.
          body: { ...(!isAll && { lines: chosen.map(Number) }), ...(reason && { reason }) },
          ...init,
        })
      }
    >
      {lines.length > 1 && (
        <Checkbox.Group label={words.lines} value={chosen} onChange={setChosen}>
          <Stack gap="xs" mt="xs">
            {lines.map((line) => (
              <Checkbox
                key={line.Number}
                value={String(line.Number)}
                label={`${text.lines.line(line.Number)}: ${lineInWords(line)}`}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </ChangeSheet>
  );
}
