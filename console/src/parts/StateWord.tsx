import { Group, Text } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface StateWordProps {
  look: { icon: Icon; color: string };
  children: ReactNode;
}

/** A state: a word, with a shape of its own. */
export function StateWord({ look: { icon: Shape, color }, children }: StateWordProps) {
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <Shape size={16} color={color} aria-hidden="true" />
      <Text span size="sm" fw={550} c={color}>
        {children}
      </Text>
    </Group>
  );
}
