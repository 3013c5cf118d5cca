import { Group, Kbd, Modal, Stack, Text } from "@mantine/core";
import { text } from "~/text";
import type { Screen } from "./screens";

interface ShortcutsProps {
  opened: boolean;
  onClose: () => void;
  screens: Screen[];
}

export function Shortcuts({ opened, onClose, screens }: ShortcutsProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={text.me.keys}>
      <Stack gap="xs">
        <Line keys={["/"]} what={text.search.open} />
        <Line keys={["Ctrl", "K"]} what={text.search.open} />
        <Line keys={["↑", "↓", "Enter"]} what={text.me.listKeys} />
        {screens.map((screen) => (
          <Line key={screen.to} keys={["g", screen.key]} what={screen.label} />
        ))}
        <Line keys={["?"]} what={text.me.keys} />
      </Stack>
    </Modal>
  );
}

function Line({ keys, what }: { keys: string[]; what: string }) {
  return (
    <Group justify="space-between">
      <Text size="sm">{what}</Text>
      <Group gap={4}>
        {keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </Group>
    </Group>
  );
}
