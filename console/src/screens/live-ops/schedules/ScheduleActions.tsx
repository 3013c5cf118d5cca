import type { CampaignSchedule } from "@gamekeeper/client";
import { Group } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { MayButton } from "~/parts/MayButton";
import { useMay } from "~/session";
import { oneTap } from "../oneTap";
import { DeleteSheet, PauseSheet, pause, ResumeSheet } from "./sheets";
import { text } from "./text";

const words = text.change;

/** Pause, resume or delete a schedule. */
export function ScheduleActions({ schedule }: { schedule: CampaignSchedule }) {
  const [open, setOpen] = useState<"pause" | "resume" | "delete" | null>(null);
  const refusal = useMay("campaigns.manage") ? null : text.mayNot;
  const { Id, State, Name } = schedule;
  const close = () => setOpen(null);
  return (
    <Group gap="sm">
      <MayButton
        variant="default"
        leftSection={<IconTrash size={16} />}
        refusal={refusal}
        onClick={() => setOpen("delete")}
      >
        {words.delete.button}
      </MayButton>
      {State === "active" && (
        <MayButton
          leftSection={<IconPlayerPause size={16} />}
          refusal={refusal}
          onClick={() =>
            void oneTap({
              permission: "campaigns.manage",
              ask: () => setOpen("pause"),
              change: (init) => pause(Id, init),
              done: words.pause.done(Name),
            })
          }
        >
          {words.pause.button}
        </MayButton>
      )}
      {State === "paused" && (
        <MayButton
          leftSection={<IconPlayerPlay size={16} />}
          refusal={refusal}
          onClick={() => setOpen("resume")}
        >
          {words.resume.button}
        </MayButton>
      )}
      {open === "pause" && <PauseSheet schedule={schedule} onClose={close} />}
      {open === "resume" && <ResumeSheet schedule={schedule} onClose={close} />}
      {open === "delete" && <DeleteSheet schedule={schedule} onClose={close} />}
    </Group>
  );
}
