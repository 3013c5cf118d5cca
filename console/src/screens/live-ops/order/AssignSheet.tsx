import type { Order } from "@gamekeeper/client";
import { Stack, Text } from "@mantine/core";
import { useState } from "react";
import { gk } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { lineInWords } from "~/parts/orders/order";
import { PlayerPicker } from "~/parts/PlayerPicker";
import { text } from "./text";

const words = text.assign;

/** Give an order without a receiver to a character, and deliver it. */
export function AssignSheet({ order, onClose }: { order: Order; onClose: () => void }) {
  const [player, setPlayer] = useState<string | null>(null);
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
        player && (
          <Stack gap="xs">
            <BeforeAfter
              changes={[
                {
                  key: "receiver",
                  label: words.receiver,
                  before: order.Receiver ?? words.unknown,
                  after: player,
                },
                ...order.Lines.filter((line) => line.State === "waiting").map((line) => ({
                  key: String(line.Number),
                  label: lineInWords(line),
                  before: words.waiting,
                  after: words.delivered,
                })),
              ]}
            />
            <Text size="sm" c="dimmed">
              {words.note}
            </Text>
          </Stack>
        )
      }
      ready={player !== null}
      submitLabel={words.submit}
      done={words.done(order.OrderId, player ?? "")}
      submit={(reason, init) =>
        gk.post("/api/v1/orders/{shop}/{order_id}/assign", {
          params: { path: { shop: order.Shop, order_id: order.OrderId } },
          body: { character: player ?? "", ...(reason && { reason }) },
          ...init,
        })
      }
    >
      <PlayerPicker
        label={words.player}
        description={words.playerHint}
        nothingFound={words.nobody}
        value={player}
        onChange={setPlayer}
      />
    </ChangeSheet>
  );
}
