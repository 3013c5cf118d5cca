import type { CampaignDryRun, DryRunItem, DryRunSample } from "@gamekeeper/client";
import { Group, Progress, SimpleGrid, Stack, Text } from "@mantine/core";
import { grouped } from "~/format";
import { useItem } from "~/items";
import { type Column, DataTable } from "~/parts/DataTable";
import { ItemTile } from "~/parts/ItemTile";
import { PlayerLink } from "~/parts/people";
import { Quantity } from "~/parts/Quantity";
import { Fact } from "~/parts/sanctions/SanctionFacts";
import { reasonOf } from "./reasons";
import { text } from "./text";

/** What a campaign would do: the figures, the supply, and players before and after. */
export function DryRunReport({
  report,
  brief = false,
}: {
  report: CampaignDryRun;
  brief?: boolean;
}) {
  const { Sampled, Possible, Skipped, Refused, Items, Samples } = report;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 2, sm: brief ? 2 : 3 }} spacing="sm">
        <Fact label={text.dryRun.recipients}>{grouped(report.Recipients)}</Fact>
        <Fact label={text.dryRun.possible}>{text.dryRun.ofSample(Possible, Sampled)}</Fact>
        {Skipped > 0 && (
          <Fact label={text.dryRun.skipped}>{text.dryRun.ofSample(Skipped, Sampled)}</Fact>
        )}
        {Refused.map(({ Code, Recipients }) => (
          <Fact key={Code} label={reasonOf(Code)}>
            {text.dryRun.ofSample(Recipients, Sampled)}
          </Fact>
        ))}
      </SimpleGrid>
      {Items.length > 0 && (
        <Fact label={text.dryRun.supply}>
          <Stack gap="xs" mt={4}>
            {Items.map((item) => (
              <Supply key={item.ItemId} item={item} />
            ))}
          </Stack>
        </Fact>
      )}
      {!brief && Samples.length > 0 && (
        <DataTable
          label={text.dryRun.samples}
          columns={columns(Samples)}
          rows={Samples}
          rowKey={(one) => one.PlayerId}
        />
      )}
    </Stack>
  );
}

/** An item: how many pieces come or go, beside those that exist. */
function Supply({ item }: { item: DryRunItem }) {
  const entry = useItem(item.ItemId);
  const name = entry?.Name ?? "…";
  const share = item.Supply === 0 ? null : Math.abs(item.Pieces) / item.Supply;
  // Of what exists afterwards: a bar cannot show more than all of it.
  const part = (100 * Math.abs(item.Pieces)) / Math.max(1, item.Supply + Math.max(0, item.Pieces));
  return (
    <div>
      <Group gap="xs">
        <ItemTile id={item.ItemId} size={24} />
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="sm">
          <Quantity change={item.Pieces} />
        </Text>
        <Text size="sm" c="dimmed">
          {[
            share !== null && text.dryRun.share(percent(share)),
            item.Value === null ? text.dryRun.noValue : text.dryRun.worth(item.Value),
          ]
            .filter(Boolean)
            .join(" · ")}
        </Text>
      </Group>
      <Progress.Root size="sm" mt={4}>
        <Progress.Section
          value={Math.min(100, part)}
          color={item.Pieces < 0 ? "red" : "moss"}
          aria-label={text.dryRun.supplyOf(name)}
        />
      </Progress.Root>
    </div>
  );
}

function percent(share: number): string {
  return new Intl.NumberFormat("en", { style: "percent", maximumSignificantDigits: 2 }).format(
    share,
  );
}

function columns(samples: DryRunSample[]): Column<DryRunSample>[] {
  const hasItems = samples.some(({ Before }) => Before !== null);
  const isRefused = samples.some(({ Code }) => Code !== null);
  const number = (value: number | null) => (value === null ? "" : grouped(value));
  const numbers: Column<DryRunSample>[] = [
    {
      key: "before",
      title: text.dryRun.columns.before,
      numeric: true,
      cell: (one) => number(one.Before),
    },
    {
      key: "after",
      title: text.dryRun.columns.after,
      numeric: true,
      cell: (one) => number(one.After),
    },
  ];
  const problem: Column<DryRunSample> = {
    key: "problem",
    title: text.dryRun.columns.problem,
    cell: (one) => one.Code && reasonOf(one.Code),
  };
  return [
    {
      key: "player",
      title: text.dryRun.columns.player,
      cell: (one) => <PlayerLink name={one.Name} />,
    },
    ...(hasItems ? numbers : []),
    ...(isRefused ? [problem] : []),
  ];
}
