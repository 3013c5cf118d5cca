import type { CampaignSchedule } from "@gamekeeper/client";
import { IconCircleCheck, IconClock, IconPlayerPause } from "@tabler/icons-react";
import { StateWord } from "~/parts/StateWord";
import { text } from "./text";

const LOOKS = {
  active: { icon: IconClock, color: "var(--gk-gain)" },
  paused: { icon: IconPlayerPause, color: "var(--gk-changed)" },
  ended: { icon: IconCircleCheck, color: "var(--mantine-color-dimmed)" },
};

/** The state of a schedule. */
export function ScheduleState({ state }: { state: CampaignSchedule["State"] }) {
  return <StateWord look={LOOKS[state]}>{text.states[state]}</StateWord>;
}
