import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { gk } from "~/api";
import { grouped } from "~/format";
import { itemQuery, useItem } from "~/items";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { ItemPicker } from "~/parts/ItemPicker";
import { QuantityInput } from "~/parts/QuantityInput";
import { useHeld } from "./held";
import type { SheetProps } from "./sheet";
import { text } from "./text";

/** Take items of those that the character holds. */
export function TakeSheet({ player, server, item, ...sheet }: SheetProps & { item?: string }) {
  const [chosen, setItem] = useState<string | null>(item ?? null);
  const [quantity, setQuantity] = useState<number | string>(1);
  const entry = useItem(chosen ?? "");
  const held = useHeld(player.Id, sheet.opened);
  const all = [...(held.data ?? [])].filter(([, { inventory }]) => inventory > 0);
  const names = useQueries({ queries: all.map(([id]) => itemQuery(id)) });
  const has = (chosen && held.data?.get(chosen)) || { inventory: 0, bank: 0 };
  // The service takes from the inventory alone; what is in the bank stays there.
  const total = has.inventory;
  const count = Number(quantity);
  const ready = chosen !== null && Number.isInteger(count) && count >= 1 && count <= total;
  const name = entry?.Name ?? "";

  return (
    <ChangeSheet
      permission="players.items"
      {...sheet}
      title={text.take.title}
      whom={text.from(player.Name)}
      inGameOn={server}
      subject={{ player: player.Id }}
      preview={
        ready ? (
          <BeforeAfter
            changes={[
              {
                key: chosen,
                itemId: chosen,
                label: name,
                note: text.give.note(has.inventory, has.bank),
                before: total,
                after: total - count,
              },
            ]}
          />
        ) : null
      }
      previewLoading={held.isPending}
      ready={ready}
      submitLabel={text.take.submit}
      done={text.take.done(grouped(count), name, player.Name)}
      submit={(reason, init) =>
        gk.post("/api/v1/players/{key}/items/take", {
          params: { path: { key: player.Id } },
          body: { itemid: chosen ?? "", quantity: count, ...(reason && { reason }) },
          ...init,
        })
      }
    >
      <ItemPicker
        label={text.item}
        value={chosen}
        onChange={setItem}
        among={all.map(([id, { inventory }], at) => ({
          id,
          name: names[at]?.data?.Name,
          beside: grouped(inventory),
        }))}
        required
      />
      <QuantityInput
        label={text.quantity}
        value={quantity}
        onChange={setQuantity}
        max={total || 1}
        error={chosen && count > total ? text.take.tooMany(grouped(total)) : undefined}
        required
      />
    </ChangeSheet>
  );
}
