import type { CampaignSchedule } from "@gamekeeper/client";
import { Anchor, Group, SimpleGrid, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { get } from "~/api";
import { usePolling } from "~/live";
import { Card } from "~/parts/Card";
import { CopyId } from "~/parts/CopyId";
import { Page } from "~/parts/Page";
import { Fact } from "~/parts/sanctions/SanctionFacts";
import { Answered, Forbidden } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { Back } from "../Back";
import { By } from "../By";
import { WorkSentence } from "../campaigns/WorkSentence";
import { describedPlan } from "./plan";
import { NextRuns, PastRuns } from "./Runs";
import { ScheduleActions } from "./ScheduleActions";
import { ScheduleState } from "./ScheduleState";
import { Planned } from "./SchedulesTab";
import { text } from "./text";

const words = text.page;

/** One schedule: its next runs, of which one can be skipped, and those that were due. */
export function ScheduleScreen() {
  const { schedule: id } = useParams({ from: "/schedules/$schedule" });
  const mayRead = useMay("campaigns.read");
  const refetchInterval = usePolling();
  const schedule = useQuery({
    ...get("/api/v1/schedules/{schedule_id}", { params: { path: { schedule_id: id } } }),
    enabled: mayRead,
    refetchInterval,
  });
  if (schedule.data) return <Known schedule={schedule.data} />;
  return (
    <Page title={words.loading}>
      <Back tab="schedules">{words.back}</Back>
      {mayRead ? (
        <Answered query={schedule}>{() => null}</Answered>
      ) : (
        <Forbidden scope="campaigns.read" />
      )}
    </Page>
  );
}

function Known({ schedule }: { schedule: CampaignSchedule }) {
  return (
    <Page
      title={schedule.Name}
      beside={<CopyId id={schedule.Id} what={words.id} />}
      action={<ScheduleActions schedule={schedule} />}
      filters={
        <Group gap="lg">
          <Back tab="schedules">{words.back}</Back>
          <div role="status">
            <ScheduleState state={schedule.State} />
          </div>
        </Group>
      }
    >
      <NextRuns schedule={schedule} />
      <Facts schedule={schedule} />
      <PastRuns schedule={schedule.Id} />
    </Page>
  );
}

function Facts({ schedule }: { schedule: CampaignSchedule }) {
  const { Work, Segment } = schedule;
  const isAnnouncement = Work.Kind === "announcement";
  return (
    <Card title={words.facts}>
      <Fact label={isAnnouncement ? text.announcement : words.work}>
        <WorkSentence work={Work} />
      </Fact>
      {Work.Kind === "letter" && Work.Text && (
        <Fact label={words.letterText}>
          <Text style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{Work.Text}</Text>
        </Fact>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        {Segment && (
          <Fact label={words.segment}>
            <Anchor
              renderRoot={(props) => (
                <Link to="/segments/$segment" params={{ segment: Segment }} {...props} />
              )}
            >
              {Segment}
            </Anchor>
          </Fact>
        )}
        <Fact label={words.when}>
          <Planned of={schedule} />
        </Fact>
        <End of={schedule} />
        {schedule.OnJoin && <Fact label={words.delivery}>{words.onJoin}</Fact>}
        <Fact label={words.grace}>{words.graceOf(schedule.GraceMinutes)}</Fact>
        {!isAnnouncement && (
          <Fact label={words.most}>{words.recipients(schedule.MaxRecipients)}</Fact>
        )}
        {schedule.Reason && <Fact label={words.reason}>{schedule.Reason}</Fact>}
        <Fact label={words.created}>
          <By at={schedule.CreatedAt} name={schedule.CreatedByName} />
        </Fact>
        {schedule.ApprovedByName && <Fact label={words.approved}>{schedule.ApprovedByName}</Fact>}
      </SimpleGrid>
    </Card>
  );
}

/** When runs end, if they do. */
function End({ of: { EndsAt, EndsCron, TimeZone, OnJoin } }: { of: CampaignSchedule }) {
  if (!EndsAt && !EndsCron) return null;
  return (
    <Fact label={OnJoin ? words.until : words.ends}>
      {EndsAt ? <When at={EndsAt} /> : describedPlan({ Cron: EndsCron, TimeZone })}
    </Fact>
  );
}
