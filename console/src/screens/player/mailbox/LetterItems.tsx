import { ActionIcon, Button, Fieldset, Stack, Text } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { ItemPicker } from "~/parts/ItemPicker";
import { QuantityInput } from "~/parts/QuantityInput";
import classes from "./mailbox.module.css";
import { text } from "./text";

const words = text.send;
const MOST_STACKS = 10;

/** A stack of the letter while it is typed. */
export interface Piece {
  id: number;
  item: string | null;
  quantity: number | string;
}

interface WholePiece {
  itemid: string;
  quantity: number;
}

/** The stacks as the service takes them; null: one of them is not complete. */
export function wholePieces(pieces: Piece[]): WholePiece[] | null {
  const whole: WholePiece[] = [];
  for (const { item, quantity } of pieces) {
    const count = Number(quantity);
    if (item === null || !Number.isInteger(count) || count < 1) return null;
    whole.push({ itemid: item, quantity: count });
  }
  return whole;
}

interface LetterItemsProps {
  pieces: Piece[];
  onChange: (pieces: Piece[]) => void;
}

/** The items of a new letter, stack by stack. */
export function LetterItems({ pieces, onChange }: LetterItemsProps) {
  const next = Math.max(0, ...pieces.map(({ id }) => id)) + 1;

  function change(id: number, part: Partial<Piece>) {
    onChange(pieces.map((piece) => (piece.id === id ? { ...piece, ...part } : piece)));
  }

  return (
    <Fieldset legend={words.items} p="sm">
      <Stack gap="xs">
        <Text size="xs" c="dimmed">
          {words.itemsHint}
        </Text>
        {pieces.map(({ id, item, quantity }, position) => (
          <div key={id} className={classes.line}>
            <ItemPicker
              label={words.item(position + 1)}
              value={item}
              onChange={(chosen) => change(id, { item: chosen })}
              required
            />
            <QuantityInput
              aria-label={words.quantity(position + 1)}
              value={quantity}
              onChange={(count) => change(id, { quantity: count })}
              max={2_147_483_647}
              required
            />
            <ActionIcon
              variant="default"
              size={36}
              aria-label={words.remove(position + 1)}
              onClick={() => onChange(pieces.filter((piece) => piece.id !== id))}
            >
              <IconX size={16} />
            </ActionIcon>
          </div>
        ))}
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconPlus size={16} />}
          disabled={pieces.length >= MOST_STACKS}
          onClick={() => onChange([...pieces, { id: next, item: null, quantity: 1 }])}
        >
          {words.add}
        </Button>
      </Stack>
    </Fieldset>
  );
}
