import { NumberInput, Select, Text, Textarea, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { gk } from "~/api";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { useExact } from "~/parts/When";
import { useMay } from "~/session";
import { MAX_RECIPIENTS } from "../campaigns/delivery";
import { JoinField } from "../campaigns/JoinField";
import { SegmentSelect } from "../campaigns/SegmentSelect";
import { text as campaigns } from "../campaigns/text";
import { WorkFields } from "../campaigns/WorkFields";
import {
  createdPieces,
  EMPTY_WORK,
  KINDS,
  type Kind,
  MAX_MESSAGE,
  SCOPES,
  type WorkDraft,
  withKind,
  workOf,
} from "../campaigns/work";
import { isWhole } from "../numbers";
import { PlanFields } from "./PlanFields";
import { canEnd, describedPlan, emptyPlan, type PlanBody, type PlanDraft, planOf } from "./plan";
import { text } from "./text";

const words = text.form;
const MAX_GRACE = 10_080;

type ScheduleKind = Kind | "announcement";

/** A new schedule: what, for whom, when, and until when. */
export function NewScheduleSheet({ segment: first }: { segment: string | undefined }) {
  const [name, setName] = useState("");
  const [segment, setSegment] = useState<string | null>(first ?? null);
  const [draft, setDraft] = useState<WorkDraft>(EMPTY_WORK);
  const [isAnnouncement, setIsAnnouncement] = useState(false);
  const [onJoin, setOnJoin] = useState(false);
  const [plan, setPlan] = useState<PlanDraft>(() => emptyPlan(browserZone()));
  const [grace, setGrace] = useState<number | string>(60);
  const [most, setMost] = useState<number | string>(1_000_000);
  const created = useRef<string>(undefined);
  const navigate = useNavigate();

  const kind: ScheduleKind = isAnnouncement ? "announcement" : draft.kind;
  const scope = isAnnouncement ? SCOPES.message : SCOPES[draft.kind];
  const mayWork = useMay(scope);
  const isLazy = kind === "letter" && onJoin;
  const end = !canEnd(kind) ? "none" : isLazy ? "required" : "optional";
  const when = planOf(plan, end);
  const work = workWith(draft, isAnnouncement);
  const [late, recipients] = [Number(grace), Number(most)];
  const fits = isWhole(late, MAX_GRACE) && isWhole(recipients, MAX_RECIPIENTS);
  const isComplete = name.trim() && (isAnnouncement || segment) && work && when && fits;

  function close() {
    if (created.current) {
      const params = { schedule: created.current };
      void navigate({ to: "/schedules/$schedule", params });
    } else void navigate({ to: "/live-ops", search: { tab: "schedules" } });
  }

  return (
    <ChangeSheet
      permission="campaigns.manage"
      opened
      onClose={close}
      title={words.title}
      whom={words.whom}
      subject={{}}
      preview={when && <Preview plan={when} zone={plan.zone} />}
      charge={isAnnouncement ? undefined : { pieces: piecesOf(draft, recipients) }}
      ready={Boolean(isComplete) && mayWork}
      submitLabel={words.submit}
      done={words.done(name.trim())}
      undoable={false}
      submit={async (reason, init) => {
        if (!work || !when) return;
        const schedule = await gk.post("/api/v1/schedules", {
          body: {
            name: name.trim(),
            work,
            ...when,
            graceminutes: late,
            ...(!isAnnouncement && segment && { segment, maxrecipients: recipients }),
            ...(isLazy && { onjoin: true }),
            ...(reason && { reason }),
          },
          ...init,
        });
        created.current = schedule.Id;
      }}
    >
      <TextInput
        label={words.name}
        description={words.nameHint}
        required
        maxLength={80}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <KindSelect
        value={kind}
        error={!mayWork && words.mayNotWork(scope)}
        onChange={(chosen) => {
          setIsAnnouncement(chosen === "announcement");
          if (chosen !== "announcement") setDraft(withKind(draft, chosen));
        }}
      />
      {isAnnouncement ? (
        <Textarea
          label={words.message}
          description={words.announcementHint}
          required
          maxLength={MAX_MESSAGE}
          autosize
          minRows={2}
          value={draft.message}
          onChange={(event) => setDraft({ ...draft, message: event.currentTarget.value })}
        />
      ) : (
        <>
          <SegmentSelect value={segment} onChange={setSegment} />
          <WorkFields
            draft={draft}
            onChange={(parts) => setDraft((before) => ({ ...before, ...parts }))}
          />
        </>
      )}
      {kind === "letter" && (
        <JoinField value={onJoin} hint={words.onJoinHint} onChange={setOnJoin} />
      )}
      <PlanFields
        draft={plan}
        end={end}
        onChange={(parts) => setPlan((before) => ({ ...before, ...parts }))}
      />
      <NumberInput
        label={words.grace}
        description={words.graceHint}
        min={1}
        max={MAX_GRACE}
        allowDecimal={false}
        suffix={` ${words.minutes}`}
        value={grace}
        onChange={setGrace}
      />
      {!isAnnouncement && (
        <NumberInput
          label={words.most}
          description={isLazy ? words.mostHint.onJoin : words.mostHint.atStart}
          min={1}
          max={MAX_RECIPIENTS}
          allowDecimal={false}
          thousandSeparator=","
          value={most}
          onChange={setMost}
        />
      )}
    </ChangeSheet>
  );
}

const KIND_OPTIONS = [
  ...KINDS.map((kind) => ({ value: kind, label: campaigns.work.kinds[kind] })),
  { value: "announcement" as const, label: words.announcement },
];

interface KindSelectProps {
  value: ScheduleKind;
  error: string | false;
  onChange: (kind: ScheduleKind) => void;
}

function KindSelect({ value, error, onChange }: KindSelectProps) {
  return (
    <Select
      label={words.kind}
      data={KIND_OPTIONS}
      value={value}
      allowDeselect={false}
      error={error}
      onChange={(chosen) => chosen && onChange(chosen)}
    />
  );
}

/** The work as the API takes it; an announcement is a message to all. */
function workWith(draft: WorkDraft, isAnnouncement: boolean) {
  if (!isAnnouncement) return workOf(draft);
  const said = draft.message.trim();
  return said ? { kind: "announcement" as const, text: said } : null;
}

/** The pieces that the largest run would create. */
function piecesOf(draft: WorkDraft, recipients: number) {
  const work = workOf(draft);
  if (!work) return [];
  const Items = (work.items ?? []).map(({ itemid, quantity }) => ({
    ItemId: itemid,
    Quantity: quantity ?? 1,
  }));
  return createdPieces({ Kind: work.kind, Items }, recipients);
}

function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

/** When it runs and ends, in words. */
function Preview({ plan, zone }: { plan: PlanBody; zone: string }) {
  const exact = useExact();
  const shown = (cron: string | undefined, at: string | undefined) =>
    cron ? describedPlan({ Cron: cron, TimeZone: zone }) : at && exact(at);
  const end = shown(plan.endscron, plan.endsat);
  return (
    <>
      <Text size="sm">
        {words.preview.run}: {shown(plan.cron, plan.startsat)}
      </Text>
      {end && (
        <Text size="sm">
          {words.preview.end}: {end}
        </Text>
      )}
    </>
  );
}
