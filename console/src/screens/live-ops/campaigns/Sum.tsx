import { Group, Text } from "@mantine/core";
import { useItem } from "~/items";
import { ItemTile } from "~/parts/ItemTile";
import { Quantity } from "~/parts/Quantity";

interface SumProps {
  item: string;
  change: number;
  note: string;
}

/** How many pieces of an item are created or taken in total. */
export function Sum({ item, change, note }: SumProps) {
  const entry = useItem(item);
  return (
    <Group gap="xs">
      <ItemTile id={item} size={24} />
      <Text size="sm">{entry?.Name ?? "…"}</Text>
      <Text size="sm">
        <Quantity change={change} />
      </Text>
      <Text size="sm" c="dimmed">
        {note}
      </Text>
    </Group>
  );
}
