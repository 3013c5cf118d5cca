import type { Campaign } from "@gamekeeper/client";
import { Group, Progress, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { gk } from "~/api";
import { usePolling } from "~/live";
import { type Column, DataTable } from "~/parts/DataTable";
import { MayButton } from "~/parts/MayButton";
import { ShowMore, usePages } from "~/parts/pages";
import { Answered, Empty } from "~/parts/states";
import { useMay } from "~/session";
import { By } from "../By";
import { CampaignState } from "./CampaignState";
import { NewCampaignSheet } from "./NewCampaignSheet";
import { isAtWork, percentOf, progressOf } from "./progress";
import { text } from "./text";
import { WorkSentence } from "./WorkSentence";

const LIMIT = 20;
/** How often the list is read while the worker is at one of its campaigns. */
const EVERY = 3_000;

const COLUMNS: Column<Campaign>[] = [
  {
    key: "name",
    title: text.columns.name,
    cell: (one) => (
      <Text span inherit fw={600}>
        {one.Name}
      </Text>
    ),
  },
  {
    key: "work",
    title: text.columns.work,
    secondary: true,
    cell: (one) => <WorkSentence work={one.Work} />,
  },
  { key: "segment", title: text.columns.segment, secondary: true, cell: (one) => one.Segment },
  { key: "state", title: text.columns.state, cell: (one) => <CampaignState state={one.State} /> },
  { key: "progress", title: text.columns.progress, cell: (one) => <ShortProgress of={one} /> },
  {
    key: "created",
    title: text.columns.created,
    secondary: true,
    cell: (one) => <By at={one.CreatedAt} name={one.CreatedByName} />,
  },
];

/** Campaigns, newest first, and how far each is. */
export function CampaignsTab() {
  const { new: isNew, segment } = useSearch({ from: "/live-ops" });
  const navigate = useNavigate();
  const campaigns = useCampaigns();
  const may = useMay("campaigns.manage");
  const make = (
    <MayButton
      leftSection={<IconPlus size={16} />}
      refusal={may ? null : text.mayNot}
      onClick={() => void navigate({ to: "/live-ops", search: { tab: "campaigns", new: true } })}
    >
      {text.make}
    </MayButton>
  );
  return (
    <Stack>
      <Answered query={campaigns}>
        {(rows) => {
          if (rows.length === 0)
            return <Empty title={text.none} hint={text.noneHint} action={make} />;
          return (
            <>
              <Group justify="flex-end">{make}</Group>
              <DataTable
                label={text.label}
                columns={COLUMNS}
                rows={rows}
                rowKey={(one) => one.Id}
                onOpen={({ Id }) =>
                  void navigate({
                    to: "/campaigns/$campaign",
                    params: { campaign: Id },
                    search: {},
                  })
                }
              />
            </>
          );
        }}
      </Answered>
      <ShowMore of={campaigns} />
      {isNew && may && <NewCampaignSheet segment={segment} />}
    </Stack>
  );
}

function useCampaigns() {
  const polling = usePolling();
  return usePages({
    key: ["/api/v1/campaigns", {}],
    read: (after, signal) =>
      gk.get("/api/v1/campaigns", { params: { query: { limit: LIMIT, ...after } }, signal }),
    every: (rows) => (rows.some(({ State }) => isAtWork(State)) ? EVERY : polling),
  });
}

/** A bar with the numbers beside it; before the start, how many recipients there are. */
function ShortProgress({ of }: { of: Campaign }) {
  if (of.State === "preparing") return text.collecting(of.Recipients);
  if (of.State === "ready") return of.OnJoin ? text.page.onJoin : text.recipients(of.Recipients);
  const progress = progressOf(of);
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress
        value={percentOf(progress)}
        w={72}
        visibleFrom="sm"
        aria-label={text.progressOf(of.Name)}
      />
      <Text span inherit style={{ whiteSpace: "nowrap" }}>
        {of.OnJoin
          ? text.progress.delivered(of.Done)
          : text.handled(progress.handled, progress.total)}
      </Text>
    </Group>
  );
}
