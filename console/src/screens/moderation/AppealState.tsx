import type { Appeal } from "@gamekeeper/client";
import { IconCircleCheck, IconCircleX, IconClock, IconMinus } from "@tabler/icons-react";
import { StateWord } from "~/parts/StateWord";
import { text } from "./text";

const LOOKS = {
  open: { icon: IconClock, color: "var(--gk-changed)" },
  lifted: { icon: IconCircleCheck, color: "var(--gk-gain)" },
  kept: { icon: IconCircleX, color: "var(--mantine-color-dimmed)" },
  closed: { icon: IconMinus, color: "var(--mantine-color-dimmed)" },
};

/** Where an appeal stands. */
export function AppealState({ state }: { state: Appeal["State"] }) {
  return <StateWord look={LOOKS[state]}>{text.appeals.states[state]}</StateWord>;
}
