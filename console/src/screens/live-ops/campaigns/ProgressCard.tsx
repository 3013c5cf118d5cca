import type { Campaign } from "@gamekeeper/client";
import { Group, Progress, SimpleGrid, Text } from "@mantine/core";
import { duration, grouped } from "~/format";
import { Card } from "~/parts/Card";
import { Fact } from "~/parts/sanctions/SanctionFacts";
import { isAtWork, percentOf, progressOf, secondsLeft } from "./progress";
import { RECIPIENT_STATES } from "./search";
import { text } from "./text";
import { useRate } from "./useRate";

interface ProgressCardProps {
  campaign: Campaign;
  /** When it was read, in milliseconds. */
  readAt: number;
}

/** How far the work is, or its reversal, and how long it takes. */
export function ProgressCard({ campaign, readAt }: ProgressCardProps) {
  const progress = progressOf(campaign);
  const rate = useRate(progress.handled, readAt);
  const left = campaign.OnJoin ? null : secondsLeft(progress, rate);
  const isReversal = campaign.State === "reversing" || campaign.State === "reversed";
  const title = isReversal ? text.progress.reversal : text.progress.title;
  const counts = countsOf(campaign);
  const isDelivery = campaign.OnJoin && !isReversal;
  return (
    <Card title={title}>
      <div>
        <Progress size="lg" value={percentOf(progress)} aria-label={title} />
        <Group justify="space-between" mt={6}>
          <Text size="sm">
            {isDelivery
              ? `${text.progress.delivered(progress.handled)} ${text.progress.ofMost(progress.total)}`
              : `${text.handled(progress.handled, progress.total)} (${text.progress.percent(percentOf(progress))})`}
          </Text>
          {isAtWork(campaign.State) && rate !== null && (
            <Text size="sm" c="dimmed">
              {text.progress.rate(rate)}
              {left !== null && ` · ${text.progress.left(duration(left))}`}
            </Text>
          )}
        </Group>
      </div>
      <SimpleGrid cols={{ base: 3, sm: 6 }} spacing="sm">
        {RECIPIENT_STATES.filter((state) => counts[state] > 0).map((state) => (
          <Fact key={state} label={text.recipientsTable.states[state]}>
            {grouped(counts[state])}
          </Fact>
        ))}
      </SimpleGrid>
    </Card>
  );
}

/** How many recipients are in each state. */
function countsOf(campaign: Campaign): Record<(typeof RECIPIENT_STATES)[number], number> {
  const { Recipients, Done, Skipped, Refused, Reversed, Kept } = campaign;
  return {
    waiting: Recipients - Done - Skipped - Refused,
    done: Done - Reversed - Kept,
    skipped: Skipped,
    refused: Refused,
    reversed: Reversed,
    kept: Kept,
  };
}
