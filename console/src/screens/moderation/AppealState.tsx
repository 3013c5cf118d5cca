import type { Appeal } from "@gamekeeper/client";
import { Group, Text } from "@mantine/core";
import { IconCircleCheck, IconCircleX, IconClock, IconMinus } from "@tabler/icons-react";
import { text } from "./text";

const LOOKS = {
  open: { icon: IconClock, color: "var(--gk-changed)" },
  lifted: { icon: IconCircleCheck, color: "var(--gk-gain)" },
  kept: { icon: IconCircleX, color: "var(--mantine-color-dimmed)" },
  closed: { icon: IconMinus, color: "var(--mantine-color-dimmed)" },
};

/** Where an appeal stands: a word, with a shape of its own. */
export function AppealState({ state }: { state: Appeal["State"] }) {
  const { icon: Icon, color } = LOOKS[state];
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <Icon size={16} color={color} aria-hidden="true" />
      <Text span size="sm" fw={550} c={color}>
        {text.appeals.states[state]}
      </Text>
    </Group>
  );
}
