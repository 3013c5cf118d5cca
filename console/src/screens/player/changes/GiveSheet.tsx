import { Checkbox } from "@mantine/core";
import { useState } from "react";
import { gk } from "~/api";
import { grouped } from "~/format";
import { useItem } from "~/items";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { ItemPicker } from "~/parts/ItemPicker";
import { QuantityInput } from "~/parts/QuantityInput";
import { useHeld } from "./held";
import { StatBuffs } from "./StatBuffs";
import type { SheetProps } from "./sheet";
import { text } from "./text";

const NO_BUFFS = [0, 0, 0, 0, 0];

/** Give items, with what they hold before and after. */
export function GiveSheet({
  player,
  server,
  item,
  ...sheet
}: SheetProps & { item?: string | undefined }) {
  const [chosen, setItem] = useState<string | null>(item ?? null);
  const [quantity, setQuantity] = useState<number | string>(1);
  const [toBank, setToBank] = useState(false);
  const [buffs, setBuffs] = useState(NO_BUFFS);
  const entry = useItem(chosen ?? "");
  const held = useHeld(player.Id, sheet.opened);
  const count = Number(quantity);
  const has = (chosen && held.data?.get(chosen)) || { inventory: 0, bank: 0 };
  const total = has.inventory + has.bank;
  const ready = chosen !== null && Number.isInteger(count) && count >= 1;
  const name = entry?.Name ?? "";

  return (
    <ChangeSheet
      permission="players.items"
      {...sheet}
      title={text.give.title}
      whom={text.to(player.Name)}
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
                after: total + count,
              },
            ]}
          />
        ) : null
      }
      previewLoading={held.isPending}
      charge={ready ? { pieces: [{ item: chosen, count }] } : undefined}
      ready={ready}
      submitLabel={text.give.submit}
      done={text.give.done(grouped(count), name, player.Name)}
      submit={(reason, init) =>
        gk.post("/api/v1/players/{key}/items/give", {
          params: { path: { key: player.Id } },
          body: {
            itemid: chosen ?? "",
            quantity: count,
            ...(toBank && { bankoverflow: true }),
            ...(buffs.some((buff) => buff !== 0) && { statbuffs: buffs }),
            ...(reason && { reason }),
          },
          ...init,
        })
      }
    >
      <ItemPicker label={text.item} value={chosen} onChange={setItem} required />
      <QuantityInput
        label={text.quantity}
        value={quantity}
        onChange={setQuantity}
        max={2_147_483_647}
        required
      />
      <Checkbox
        label={text.give.bank}
        description={text.give.bankHint}
        disabled={entry?.Bankable === false}
        checked={toBank}
        onChange={(event) => setToBank(event.currentTarget.checked)}
      />
      {entry?.Type === "equipment" && <StatBuffs buffs={buffs} onChange={setBuffs} />}
    </ChangeSheet>
  );
}
