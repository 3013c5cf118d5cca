import type { Player } from "@gamekeeper/client";
import { Stack } from "@mantine/core";
import type { StateTabName } from "../search";
import { ItemsTab } from "./items/ItemsTab";
import { SessionsTab } from "./sessions/SessionsTab";
import { SpellsTab } from "./spells/SpellsTab";
import { type TravelTab, useTimeTravel } from "./time/travel";
import { VariablesTab } from "./variables/VariablesTab";

interface StateTabProps {
  tab: StateTabName;
  player: Player;
  /** The instant to show; absent: now. */
  at: string | undefined;
}

/** What the character is and has, now or at an instant. */
export function StateTab({ tab, player, at }: StateTabProps) {
  if (tab === "sessions") return <SessionsTab player={player} />;
  return <AtInstant tab={tab} player={player} at={at} />;
}

const TABS = { items: ItemsTab, spells: SpellsTab, variables: VariablesTab };

function AtInstant({ tab, player, at }: StateTabProps & { tab: TravelTab }) {
  const travel = useTimeTravel(player, tab, at);
  const Tab = TABS[tab];
  return (
    <Stack gap="lg">
      <Tab player={player} travel={travel} />
    </Stack>
  );
}
