import type { Campaign, CampaignRecipient, KeptItem } from "@gamekeeper/client";
import { Select, Stack, Text } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { gk } from "~/api";
import { useItem } from "~/items";
import { Card } from "~/parts/Card";
import { type Column, DataTable } from "~/parts/DataTable";
import { ShowMore, usePages } from "~/parts/pages";
import { PlayerLink } from "~/parts/people";
import { Answered } from "~/parts/states";
import { When } from "~/parts/When";
import { oneOf } from "~/search";
import { isAtWork } from "./progress";
import { reasonOf } from "./reasons";
import { RECIPIENT_STATES } from "./search";
import { text } from "./text";

const LIMIT = 50;
/** How often the recipients are read while the worker is at it. */
const EVERY = 5_000;
const words = text.recipientsTable;

const COLUMNS: Column<CampaignRecipient>[] = [
  {
    key: "player",
    title: words.columns.player,
    cell: (one) =>
      one.Name ? <PlayerLink name={one.Name} /> : <Text c="dimmed">{words.deleted}</Text>,
  },
  { key: "state", title: words.columns.state, cell: (one) => words.states[one.State] },
  { key: "why", title: words.columns.why, cell: (one) => <Why of={one} /> },
  {
    key: "at",
    title: words.columns.at,
    secondary: true,
    cell: (one) => one.At && <When at={one.At} />,
  },
];

/** Each recipient, and what became of them. */
export function Recipients({ campaign }: { campaign: Campaign }) {
  const { state } = useSearch({ from: "/campaigns/$campaign" });
  const navigate = useNavigate({ from: "/campaigns/$campaign" });
  const recipients = useRecipients(campaign);
  return (
    <Card
      title={words.title}
      beside={
        <Select
          aria-label={words.filter}
          w={140}
          data={[
            { value: "", label: words.all },
            ...RECIPIENT_STATES.map((one) => ({ value: one, label: words.states[one] })),
          ]}
          value={state ?? ""}
          allowDeselect={false}
          onChange={(chosen) => {
            const wanted = oneOf(chosen, RECIPIENT_STATES);
            void navigate({ search: wanted ? { state: wanted } : {}, replace: true });
          }}
        />
      }
    >
      <Answered query={recipients}>
        {(rows) =>
          rows.length === 0 ? (
            <Text c="dimmed">{words.none}</Text>
          ) : (
            <DataTable
              label={words.label}
              columns={COLUMNS}
              rows={rows}
              rowKey={(one) => one.PlayerId}
            />
          )
        }
      </Answered>
      <ShowMore of={recipients} />
    </Card>
  );
}

function useRecipients({ Id, State }: Campaign) {
  const { state } = useSearch({ from: "/campaigns/$campaign" });
  return usePages({
    key: ["/api/v1/campaigns/{campaign_id}/recipients", Id, state],
    read: (after, signal) =>
      gk.get("/api/v1/campaigns/{campaign_id}/recipients", {
        params: {
          path: { campaign_id: Id },
          query: { limit: LIMIT, ...(state && { state }), ...after },
        },
        signal,
      }),
    every: () => isAtWork(State) && EVERY,
  });
}

/** Why a recipient was left out, or what they keep. */
function Why({ of }: { of: CampaignRecipient }) {
  if (of.State === "skipped") return words.left;
  return (
    <Stack gap={0}>
      {of.Code && <Text inherit>{reasonOf(of.Code)}</Text>}
      {of.Kept.map((item) => (
        <Kept key={item.ItemId} item={item} />
      ))}
    </Stack>
  );
}

function Kept({ item }: { item: KeptItem }) {
  const name = useItem(item.ItemId)?.Name ?? "…";
  return (
    <Text size="sm" c="dimmed">
      {words.keeps(item.Wanted - item.Taken, item.Wanted, name)}
    </Text>
  );
}
