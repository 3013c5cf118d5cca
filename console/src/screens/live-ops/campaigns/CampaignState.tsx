import type { Campaign } from "@gamekeeper/client";
import {
  IconArrowBackUp,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClock,
  IconPlayerPause,
  IconPlayerPlay,
} from "@tabler/icons-react";
import { StateWord } from "~/parts/StateWord";
import { text } from "./text";

const LOOKS = {
  preparing: { icon: IconCircleDashed, color: "var(--mantine-color-dimmed)" },
  ready: { icon: IconClock, color: "var(--gk-changed)" },
  running: { icon: IconPlayerPlay, color: "var(--gk-gain)" },
  paused: { icon: IconPlayerPause, color: "var(--gk-changed)" },
  stopped: { icon: IconCircleX, color: "var(--mantine-color-dimmed)" },
  finished: { icon: IconCircleCheck, color: "var(--gk-gain)" },
  reversing: { icon: IconArrowBackUp, color: "var(--gk-changed)" },
  reversed: { icon: IconArrowBackUp, color: "var(--mantine-color-dimmed)" },
};

/** The state of a campaign. */
export function CampaignState({ state }: { state: Campaign["State"] }) {
  return <StateWord look={LOOKS[state]}>{text.states[state]}</StateWord>;
}
