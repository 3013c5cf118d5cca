import type { Case } from "@gamekeeper/client";
import { Badge, Group, Text } from "@mantine/core";
import {
  IconChevronDown,
  IconChevronsUp,
  IconChevronUp,
  IconCircleCheck,
  IconClock,
} from "@tabler/icons-react";
import { AccountLink, PlayerLink } from "~/parts/people";
import { useMe } from "~/session";
import { text } from "./text";

const SEVERITIES = [
  { icon: IconChevronDown, color: "var(--mantine-color-dimmed)" },
  { icon: IconChevronUp, color: "var(--gk-changed)" },
  { icon: IconChevronsUp, color: "var(--gk-loss)" },
] as const;

/** What was reported, and how severe that is: a word, with a shape of its own. */
export function CategoryMark({
  category,
  severity,
}: {
  category: Case["Category"];
  severity: number;
}) {
  const { icon: Icon, color } = SEVERITIES[severity - 1] ?? SEVERITIES[0];
  const words = text.severity(text.severities[severity] ?? "");
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <Icon size={18} color={color} role="img" aria-label={words} style={{ flex: "none" }} />
      <Text span size="sm" fw={550}>
        {text.categories[category]}
      </Text>
    </Group>
  );
}

/** The character that was reported, and its account. */
export function Reported({ about }: { about: Case }) {
  if (!about.UserName) return <span>{about.PlayerName ?? text.erased}</span>;
  if (!about.PlayerName) return <AccountLink name={about.UserName} />;
  return (
    <span>
      <PlayerLink name={about.PlayerName} />{" "}
      <Text span inherit c="dimmed">
        (<AccountLink name={about.UserName} />)
      </Text>
    </span>
  );
}

/** The same as plain words. */
export function reportedName(about: Case): string {
  return about.PlayerName ?? about.UserName ?? text.erased;
}

/** Open, or how it ended. */
export function OutcomeMark({ outcome }: { outcome: Case["Outcome"] }) {
  const Icon = outcome ? IconCircleCheck : IconClock;
  const color = outcome ? "var(--mantine-color-dimmed)" : "var(--gk-changed)";
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <Icon size={16} color={color} aria-hidden="true" />
      <Text span size="sm" fw={550} c={outcome ? undefined : color}>
        {outcome ? text.outcomes[outcome] : text.open}
      </Text>
    </Group>
  );
}

/** Who handles it. */
export function ClaimMark({ of: about }: { of: Pick<Case, "ClaimedBy" | "ClaimedByName"> }) {
  const mine = useIsMine();
  if (!about.ClaimedBy) {
    return (
      <Text span size="sm" c="dimmed">
        {text.unclaimed}
      </Text>
    );
  }
  if (mine(about)) return <Badge variant="light">{text.you}</Badge>;
  return (
    <Text span size="sm">
      {about.ClaimedByName}
    </Text>
  );
}

/** Whether a case is claimed by the person at the console. */
export function useIsMine(): (about: Pick<Case, "ClaimedBy">) => boolean {
  const actor = `user:${useMe().UserId}`;
  return ({ ClaimedBy }) => ClaimedBy === actor;
}
