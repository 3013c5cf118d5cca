import type { Campaign } from "@gamekeeper/client";
import { Alert, Anchor, Group, SimpleGrid, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { get } from "~/api";
import { grouped } from "~/format";
import { useIsLive } from "~/live";
import { Card } from "~/parts/Card";
import { CopyId } from "~/parts/CopyId";
import { Page } from "~/parts/Page";
import { Fact } from "~/parts/sanctions/SanctionFacts";
import { Answered, Forbidden } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { Back } from "../Back";
import { By } from "../By";
import { CampaignActions } from "./CampaignActions";
import { CampaignState } from "./CampaignState";
import { DryRunCard } from "./DryRunCard";
import { ProgressCard } from "./ProgressCard";
import { readEvery } from "./progress";
import { Recipients } from "./Recipients";
import { text } from "./text";
import { WorkSentence } from "./WorkSentence";

/** How often a campaign is read while the worker is at it: progress has no events. */
const EVERY = 2_000;

/** One campaign: its dry run before the start, its progress, its recipients. */
export function CampaignScreen() {
  const { campaign: id } = useParams({ from: "/campaigns/$campaign" });
  const mayRead = useMay("campaigns.read");
  const isLive = useIsLive();
  const campaign = useQuery({
    ...get("/api/v1/campaigns/{campaign_id}", { params: { path: { campaign_id: id } } }),
    enabled: mayRead,
    refetchInterval: ({ state }) => state.data && readEvery(state.data.State, isLive, EVERY),
  });
  if (campaign.data)
    return <Known key={id} campaign={campaign.data} readAt={campaign.dataUpdatedAt} />;
  return (
    <Page title={text.page.loading}>
      <Back tab="campaigns">{text.page.back}</Back>
      {mayRead ? (
        <Answered query={campaign}>{() => null}</Answered>
      ) : (
        <Forbidden scope="campaigns.read" />
      )}
    </Page>
  );
}

function Known({ campaign, readAt }: { campaign: Campaign; readAt: number }) {
  const { State } = campaign;
  const mayManage = useMay("campaigns.manage");
  const isBefore = State === "preparing" || State === "ready";
  return (
    <Page
      title={campaign.Name}
      beside={<CopyId id={campaign.Id} what={text.page.id} />}
      action={<CampaignActions campaign={campaign} />}
      filters={
        <Group gap="lg">
          <Back tab="campaigns">{text.page.back}</Back>
          <div role="status">
            <CampaignState state={State} />
          </div>
          {isBefore && !campaign.OnJoin && (
            <Text size="sm">
              {State === "ready"
                ? text.recipients(campaign.Recipients)
                : text.collecting(campaign.Recipients)}
            </Text>
          )}
        </Group>
      }
    >
      {campaign.Fault && (
        <Alert color="red" icon={<IconAlertTriangle />} title={text.page.fault}>
          {campaign.Fault}
        </Alert>
      )}
      {isBefore && <Text c="dimmed">{pendingOf(campaign)}</Text>}
      {State === "ready" && mayManage && <DryRunCard campaign={campaign} />}
      {!isBefore && <ProgressCard key={progressKey(State)} campaign={campaign} readAt={readAt} />}
      <Facts campaign={campaign} />
      <Recipients campaign={campaign} />
    </Page>
  );
}

/** What the campaign waits for before its start. */
function pendingOf({ State, OnJoin }: Campaign): string {
  if (OnJoin) return text.page.pendingJoin;
  return State === "ready" ? text.page.pending : text.page.preparing;
}

/** A reversal has a rate of its own. */
function progressKey(state: Campaign["State"]): string {
  return state === "reversing" || state === "reversed" ? "reversal" : "work";
}

function Facts({ campaign }: { campaign: Campaign }) {
  const { State, Work } = campaign;
  return (
    <Card title={text.page.facts}>
      <Fact label={text.page.work}>
        <WorkSentence work={Work} />
      </Fact>
      {Work.Kind === "letter" && Work.Text && (
        <Fact label={text.page.letterText}>
          <Text style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{Work.Text}</Text>
        </Fact>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        <Fact label={text.page.segment}>
          <Anchor
            renderRoot={(props) => (
              <Link to="/segments/$segment" params={{ segment: campaign.Segment }} {...props} />
            )}
          >
            {campaign.Segment}
          </Anchor>
        </Fact>
        {campaign.ScheduleId && <OfSchedule id={campaign.ScheduleId} />}
        {Work.ExpiresInDays !== null && (
          <Fact label={text.page.expires}>{text.page.expiresIn(Work.ExpiresInDays)}</Fact>
        )}
        {Work.OverflowToBank && <Fact label={text.page.overflow}>{text.page.toBank}</Fact>}
        <Fact label={text.page.speed}>{text.page.perSecond(campaign.PerSecond)}</Fact>
        {campaign.OnJoin && <Fact label={text.page.delivery}>{text.page.onJoin}</Fact>}
        {campaign.EndsAt && (
          <Fact label={campaign.OnJoin ? text.page.until : text.page.reversedAt}>
            <When at={campaign.EndsAt} />
          </Fact>
        )}
        {campaign.MaxRecipients !== null && (
          <Fact label={text.page.most}>{grouped(campaign.MaxRecipients)}</Fact>
        )}
        {campaign.Reason && <Fact label={text.page.reason}>{campaign.Reason}</Fact>}
        <Fact label={text.page.created}>
          <By at={campaign.CreatedAt} name={campaign.CreatedByName} />
        </Fact>
        {campaign.StartedAt && (
          <Fact label={text.page.started}>
            <By at={campaign.StartedAt} name={campaign.StartedByName} />
          </Fact>
        )}
        {campaign.ApprovedByName && (
          <Fact label={text.page.approved}>{campaign.ApprovedByName}</Fact>
        )}
        {campaign.ReversedByName && (
          <Fact label={text.page.reversedBy}>{campaign.ReversedByName}</Fact>
        )}
        {campaign.EndedAt && (
          <Fact label={text.page.ended}>
            <When at={campaign.EndedAt} />
          </Fact>
        )}
        {campaign.EndsAt && willEnd(State) && (
          <Fact label={text.page.ends}>
            <When at={campaign.EndsAt} />
          </Fact>
        )}
      </SimpleGrid>
    </Card>
  );
}

/** Whether a planned reversal is still to come: staff may have stopped or reversed it before. */
function willEnd(state: Campaign["State"]): boolean {
  return state !== "stopped" && state !== "reversing" && state !== "reversed";
}

/** The schedule whose run this is, unless it was deleted. */
function OfSchedule({ id }: { id: string }) {
  const params = { path: { schedule_id: id } };
  const schedule = useQuery(get("/api/v1/schedules/{schedule_id}", { params }));
  if (!schedule.data) return null;
  return (
    <Fact label={text.page.schedule}>
      <Anchor
        renderRoot={(props) => (
          <Link to="/schedules/$schedule" params={{ schedule: id }} {...props} />
        )}
      >
        {schedule.data.Name}
      </Anchor>
    </Fact>
  );
}
