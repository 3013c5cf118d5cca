import type { Player, Slot } from "@gamekeeper/client";
import { Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { grouped } from "~/format";
import { useItem } from "~/items";
import { BeforeAfter, type Change } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { QuantityInput } from "~/parts/QuantityInput";
import { text } from "../../text";
import { useServerOf } from "../../useServer";
import { kindOf } from "../difference";
import { type Spot, spotKey } from "../grid";
import { endOf, transact } from "./transact";

interface MoveSheetProps {
  player: Player;
  /** Null: closed. */
  move: { from: Spot; to: Spot } | null;
  onClose: () => void;
}

/** Move what lies in a slot to another one: alone, onto a stack, or in exchange. */
export function MoveSheet({ move, ...props }: MoveSheetProps) {
  const key = move ? spotKey(move.from) + spotKey(move.to) : "closed";
  return <Sheet key={key} move={move} {...props} />;
}

function Sheet({ player, move, onClose }: MoveSheetProps) {
  const held = move?.from.held ?? null;
  const there = move?.to.held ?? null;
  const most = held?.Quantity ?? 1;
  const entry = useItem(held?.ItemId ?? "");
  const [quantity, setQuantity] = useState<string | number>(most);
  const isSame = held !== null && there !== null && kindOf(held) === kindOf(there);
  const isSwap = there !== null && !isSame;
  const count = isSwap ? most : Number(quantity);
  const isReady = Number.isInteger(count) && count >= 1 && count <= most;

  return (
    <ChangeSheet
      permission="transactions"
      opened={move !== null}
      onClose={onClose}
      title={text.sheet.move}
      whom={text.sheet.whom(player.Name)}
      inGameOn={useServerOf(player, move !== null)}
      subject={{ player: player.Id }}
      ready={isReady}
      submitLabel={text.sheet.moveSubmit}
      done={text.sheet.moved(held?.ItemName ?? "")}
      submit={(reason, init) =>
        move
          ? transact(
              {
                do: "items",
                itemid: held?.ItemId ?? "",
                quantity: count,
                ...endOf("from", player, move.from),
                ...endOf("to", player, move.to),
              },
              reason,
              init,
            )
          : Promise.resolve()
      }
      preview={
        isReady &&
        move &&
        held && <BeforeAfter changes={changes(move, held, there, count, isSwap)} />
      }
    >
      {most > 1 && !isSwap && (
        <QuantityInput
          label={text.sheet.quantity}
          value={quantity}
          onChange={setQuantity}
          max={most}
          w={140}
          data-autofocus
        />
      )}
      {isSwap && <Text size="sm">{text.sheet.swap}</Text>}
      {move?.to.place === "bank" && entry && !entry.Bankable && (
        <Text size="sm" c="var(--gk-loss)">
          {text.item.notBankable}
        </Text>
      )}
    </ChangeSheet>
  );
}

function changes(
  { from, to }: { from: Spot; to: Spot },
  held: Slot,
  there: Slot | null,
  count: number,
  isSwap: boolean,
): Change[] {
  const left = held.Quantity - count;
  return [
    {
      key: "from",
      itemId: held.ItemId,
      label: text.places.slot(text.places[from.place], from.slot),
      before: stack(held, held.Quantity),
      after: isSwap ? stack(there, there?.Quantity ?? 0) : stack(held, left),
    },
    {
      key: "to",
      ...(there && { itemId: there.ItemId }),
      icon: <EmptySlot />,
      label: text.places.slot(text.places[to.place], to.slot),
      before: stack(there, there?.Quantity ?? 0),
      after: stack(held, isSwap ? held.Quantity : (there?.Quantity ?? 0) + count),
    },
  ];
}

function EmptySlot() {
  return (
    <span
      style={{
        width: 36,
        height: 36,
        borderRadius: 4,
        border: "1px dashed var(--mantine-color-default-border)",
      }}
    />
  );
}

function stack(held: Slot | null, quantity: number): ReactNode {
  if (!held || quantity === 0) return text.sheet.slotEmpty;
  return quantity === 1 ? held.ItemName : `${grouped(quantity)} × ${held.ItemName}`;
}
