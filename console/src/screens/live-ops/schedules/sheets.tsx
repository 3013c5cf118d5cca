import type { CampaignSchedule, NextRun } from "@gamekeeper/client";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useRef } from "react";
import { gk } from "~/api";
import type { ChangeInit } from "~/change";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { useNow, When } from "~/parts/When";
import { StepSheet } from "../StepSheet";
import { describedPlan, localOf, nextOf, resumedRun } from "./plan";
import { text } from "./text";

const words = text.change;

interface ScheduleSheetProps {
  schedule: CampaignSchedule;
  onClose: () => void;
}

export function pause(schedule: string, init: ChangeInit) {
  return gk.post("/api/v1/schedules/{schedule_id}/pause", {
    params: { path: { schedule_id: schedule } },
    ...init,
  });
}

/** Pause a schedule with a reason, where the operator requires one. */
export function PauseSheet({ schedule, onClose }: ScheduleSheetProps) {
  return (
    <StepSheet
      permission="campaigns.manage"
      onClose={onClose}
      title={words.pause.title}
      whom={words.pause.whom}
      preview={<Change schedule={schedule} to="paused" next={text.noNext} />}
      done={words.pause.done(schedule.Name)}
      submit={(init) => pause(schedule.Id, init)}
    />
  );
}

/** Resume a schedule: its run may have become due, or too late, during the pause. */
export function ResumeSheet({ schedule, onClose }: ScheduleSheetProps) {
  const run = resumedRun(schedule, useNow());
  const next = {
    repeated: describedPlan(schedule),
    planned: schedule.NextAt && <When at={schedule.NextAt} />,
    due: words.resume.atOnce,
    missed: text.runs.states.missed,
  };
  return (
    <StepSheet
      permission="campaigns.manage"
      onClose={onClose}
      title={words.resume.title}
      whom={words.resume.whom[run]}
      preview={
        <Change schedule={schedule} to={run === "missed" ? "ended" : "active"} next={next[run]} />
      }
      done={words.resume.done(schedule.Name)}
      submit={(init) =>
        gk.post("/api/v1/schedules/{schedule_id}/resume", {
          params: { path: { schedule_id: schedule.Id } },
          ...init,
        })
      }
    />
  );
}

/** No more runs; the page is left, because the schedule is gone. */
export function DeleteSheet({ schedule, onClose }: ScheduleSheetProps) {
  const { Id, Name } = schedule;
  const navigate = useNavigate();
  const isGone = useRef(false);

  function close() {
    if (isGone.current) void navigate({ to: "/live-ops", search: { tab: "schedules" } });
    else onClose();
  }

  return (
    <StepSheet
      permission="campaigns.manage"
      onClose={close}
      title={words.delete.title}
      whom={words.delete.whom}
      preview={<Change schedule={schedule} to="deleted" next={text.noNext} />}
      done={words.delete.done(Name)}
      submit={async (init) => {
        await gk.delete("/api/v1/schedules/{schedule_id}", {
          params: { path: { schedule_id: Id } },
          ...init,
        });
        isGone.current = true;
      }}
    />
  );
}

interface ChangeProps {
  schedule: CampaignSchedule;
  to: keyof typeof text.states | "deleted";
  next: ReactNode;
}

/** The state, and the next run. */
function Change({ schedule, to, next }: ChangeProps) {
  const before = nextOf(schedule);
  return (
    <BeforeAfter
      changes={[
        {
          key: "state",
          label: text.columns.state,
          before: text.states[schedule.State],
          after: to === "deleted" ? words.delete.deleted : text.states[to],
        },
        {
          key: "next",
          label: text.columns.next,
          before: before ? <When at={before} /> : text.noNext,
          after: next,
        },
      ]}
    />
  );
}

interface SkipSheetProps {
  schedule: string;
  run: NextRun;
  onClose: () => void;
}

/** Skip one of the next runs, for good. */
export function SkipSheet({ schedule, run, onClose }: SkipSheetProps) {
  return (
    <StepSheet
      permission="campaigns.manage"
      onClose={onClose}
      title={words.skip.title}
      whom={words.skip.whom}
      preview={
        <BeforeAfter
          changes={[
            {
              key: "run",
              label: localOf(run.LocalTime),
              before: words.skip.planned,
              after: text.runs.states.skipped,
            },
          ]}
        />
      }
      done={words.skip.done}
      submit={(init) =>
        gk.post("/api/v1/schedules/{schedule_id}/skip", {
          params: { path: { schedule_id: schedule } },
          body: { plannedat: run.PlannedAt },
          ...init,
        })
      }
    />
  );
}
