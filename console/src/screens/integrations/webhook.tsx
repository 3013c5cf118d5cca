import type { Webhook } from "@gamekeeper/client";
import { Group, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconPlayerPause } from "@tabler/icons-react";
import { kindLabel } from "~/parts/actions/kinds";
import { text } from "./text";

type State = "on" | "failing" | "off";

function stateOf(hook: Webhook): State {
  if (!hook.Enabled || hook.OffReason) return "off";
  return hook.FailingSince ? "failing" : "on";
}

const MARKS = { on: IconCircleCheck, failing: IconAlertTriangle, off: IconPlayerPause } as const;
const COLORS = {
  on: "var(--gk-gain)",
  failing: "var(--gk-loss)",
  off: "var(--mantine-color-dimmed)",
} as const;

/** A shape, a colour and a word. */
export function HookState({ hook }: { hook: Webhook }) {
  const state = stateOf(hook);
  const Mark = MARKS[state];
  return (
    <Group gap={4} wrap="nowrap" c={COLORS[state]}>
      <Mark size={16} aria-hidden="true" />
      <Text size="sm">{text.hooks.states[state]}</Text>
    </Group>
  );
}

export function kindsInWords(kinds: readonly string[] | null): string {
  if (kinds === null) return text.hooks.allKinds;
  return kinds.length <= 2 ? kinds.map(kindLabel).join(", ") : text.hooks.kindCount(kinds.length);
}

/** Why there was no answer; what the service does not name by a code says itself. */
export function faultInWords(fault: string): string {
  return text.deliveries.faults[fault] ?? fault;
}
