import type { Player } from "@gamekeeper/client";
import { Text } from "@mantine/core";
import { useState } from "react";
import { gk } from "~/api";
import type { ChangeInit } from "~/change";
import { grouped } from "~/format";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { QuantityInput } from "~/parts/QuantityInput";
import { useMay } from "~/session";
import { text } from "../../text";
import { useServerOf } from "../../useServer";
import { type Spot, spotKey } from "../grid";
import { endOf, transact } from "./transact";

interface TakeFromSlotSheetProps {
  player: Player;
  /** What to take from; null: closed. */
  spot: Spot | null;
  onClose: () => void;
}

/** Take items out of a slot. */
export function TakeFromSlotSheet({ spot, ...props }: TakeFromSlotSheetProps) {
  return <Sheet key={spot ? spotKey(spot) : "closed"} spot={spot} {...props} />;
}

function Sheet({ player, spot, onClose }: TakeFromSlotSheetProps) {
  const most = spot?.held?.Quantity ?? 1;
  const name = spot?.held?.ItemName ?? "";
  const itemId = spot?.held?.ItemId ?? "";
  const [quantity, setQuantity] = useState<string | number>(most);
  // Only a transaction can name the slot.
  const namesSlot = useMay("transactions");
  const count = Number(quantity);
  const isReady = Number.isInteger(count) && count >= 1 && count <= most;

  function submit(reason: string, init: ChangeInit): Promise<unknown> {
    const what = { itemid: itemId, quantity: count };
    if (namesSlot && spot) {
      return transact({ do: "items", ...what, ...endOf("from", player, spot) }, reason, init);
    }
    return gk.post("/api/v1/players/{key}/items/take", {
      params: { path: { key: player.Id } },
      body: { ...what, ...(reason && { reason }) },
      ...init,
    });
  }

  return (
    <ChangeSheet
      permission="players.items"
      opened={spot !== null}
      onClose={onClose}
      title={text.sheet.take}
      whom={text.sheet.whom(player.Name)}
      inGameOn={useServerOf(player, spot !== null)}
      subject={{ player: player.Id }}
      ready={isReady}
      submitLabel={text.sheet.takeSubmit}
      done={text.sheet.taken(grouped(count), name, player.Name)}
      submit={submit}
      preview={
        isReady &&
        spot && (
          <BeforeAfter
            changes={[
              {
                key: itemId,
                itemId,
                label: name,
                note: namesSlot
                  ? text.places.slot(text.places[spot.place], spot.slot)
                  : text.sheet.takeAnywhere,
                before: most,
                after: most - count,
              },
            ]}
          />
        )
      }
    >
      {most > 1 ? (
        <QuantityInput
          label={text.sheet.quantity}
          value={quantity}
          onChange={setQuantity}
          max={most}
          w={140}
          data-autofocus
        />
      ) : (
        <Text fw={600}>{name}</Text>
      )}
    </ChangeSheet>
  );
}
