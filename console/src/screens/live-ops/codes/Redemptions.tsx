import type { CodeRedemption } from "@gamekeeper/client";
import { Text } from "@mantine/core";
import { gk } from "~/api";
import { usePolling } from "~/live";
import { Card } from "~/parts/Card";
import { type Column, DataTable } from "~/parts/DataTable";
import { ShowMore, usePages } from "~/parts/pages";
import { PlayerLink } from "~/parts/people";
import { Answered } from "~/parts/states";
import { When } from "~/parts/When";
import { text } from "./text";

const LIMIT = 50;
const words = text.redemptions;

const COLUMNS: Column<CodeRedemption>[] = [
  {
    key: "player",
    title: words.columns.player,
    cell: ({ PlayerName, PlayerDeleted }) =>
      PlayerName && !PlayerDeleted ? (
        <PlayerLink name={PlayerName} />
      ) : (
        // Another character can have the name by now.
        <Text c="dimmed">{words.deleted(PlayerName)}</Text>
      ),
  },
  { key: "at", title: words.columns.at, cell: (one) => <When at={one.RedeemedAt} /> },
];

export function RedemptionTable({ rows }: { rows: CodeRedemption[] }) {
  return <DataTable label={words.label} columns={COLUMNS} rows={rows} rowKey={(one) => one.Id} />;
}

/** Who redeemed codes of a batch, newest first. */
export function Redemptions({ batch }: { batch: string }) {
  const polling = usePolling();
  const redemptions = usePages({
    key: ["/api/v1/codes/batches/{batch_id}/redemptions", batch],
    read: (after, signal) =>
      gk.get("/api/v1/codes/batches/{batch_id}/redemptions", {
        params: { path: { batch_id: batch }, query: { limit: LIMIT, ...after } },
        signal,
      }),
    every: () => polling,
  });
  return (
    <Card title={words.title}>
      <Answered query={redemptions}>
        {(rows) =>
          rows.length === 0 ? <Text c="dimmed">{words.none}</Text> : <RedemptionTable rows={rows} />
        }
      </Answered>
      <ShowMore of={redemptions} />
    </Card>
  );
}
