import type { CodeBatch } from "@gamekeeper/client";
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClock,
  IconHourglassEmpty,
} from "@tabler/icons-react";
import { StateWord } from "~/parts/StateWord";
import { useNow } from "~/parts/When";
import { stateOf } from "./batch";
import { text } from "./text";

const LOOKS = {
  draft: { icon: IconCircleDashed, color: "var(--mantine-color-dimmed)" },
  ready: { icon: IconClock, color: "var(--gk-changed)" },
  upcoming: { icon: IconClock, color: "var(--gk-changed)" },
  active: { icon: IconCircleCheck, color: "var(--gk-gain)" },
  expired: { icon: IconHourglassEmpty, color: "var(--mantine-color-dimmed)" },
  revoked: { icon: IconCircleX, color: "var(--mantine-color-dimmed)" },
};

/** Whether codes of a batch can be redeemed now, and if not, why. */
export function BatchState({ batch }: { batch: CodeBatch }) {
  const state = stateOf(batch, useNow());
  return <StateWord look={LOOKS[state]}>{text.states[state]}</StateWord>;
}
