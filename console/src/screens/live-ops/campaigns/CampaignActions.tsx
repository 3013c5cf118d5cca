import type { Campaign } from "@gamekeeper/client";
import { Group } from "@mantine/core";
import {
  IconArrowBackUp,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
} from "@tabler/icons-react";
import { useState } from "react";
import { MayButton } from "~/parts/MayButton";
import { useMe } from "~/session";
import { oneTap } from "../oneTap";
import { type Move, MoveSheet, moveTo, ReverseSheet, StartSheet, StopSheet } from "./sheets";
import { text } from "./text";
import { type Kind, SCOPES } from "./work";

const STOPPABLE = ["preparing", "ready", "running", "paused"];
const REVERSIBLE = ["paused", "stopped", "finished"];

/** A finished campaign that has an end can be stopped, so that it is not reversed. */
function isStoppable({ State, EndsAt, OnJoin }: Campaign): boolean {
  return STOPPABLE.includes(State) || (State === "finished" && EndsAt !== null && !OnJoin);
}

/** What can be done with a campaign in its state. */
export function CampaignActions({ campaign }: { campaign: Campaign }) {
  const [open, setOpen] = useState<"start" | "stop" | "reverse" | Move | null>(null);
  const { Scopes } = useMe();
  const { State, Work, Done } = campaign;
  const refusal = Scopes.includes("campaigns.manage") ? null : text.mayNot;
  const workScope = SCOPES[Work.Kind as Kind];
  const mayStart = Scopes.includes(workScope) ? refusal : text.change.mayNotWork(workScope);
  const close = () => setOpen(null);
  const move = (to: Move) =>
    void oneTap({
      permission: "campaigns.manage",
      ask: () => setOpen(to),
      change: (init) => moveTo(campaign.Id, to, init),
      done: text.change.moves[to].done(campaign.Name),
    });
  return (
    <Group gap="sm">
      {isStoppable(campaign) && (
        <MayButton
          variant="default"
          leftSection={<IconPlayerStop size={16} />}
          refusal={refusal}
          onClick={() => setOpen("stop")}
        >
          {State === "finished" ? text.page.keep : text.page.stop}
        </MayButton>
      )}
      {REVERSIBLE.includes(State) && Done > 0 && Work.Kind !== "message" && (
        <MayButton
          variant="default"
          leftSection={<IconArrowBackUp size={16} />}
          refusal={refusal}
          onClick={() => setOpen("reverse")}
        >
          {text.page.reverse}
        </MayButton>
      )}
      {State === "running" && (
        <MayButton
          leftSection={<IconPlayerPause size={16} />}
          refusal={refusal}
          onClick={() => move("pause")}
        >
          {text.page.pause}
        </MayButton>
      )}
      {State === "paused" && (
        <MayButton
          leftSection={<IconPlayerPlay size={16} />}
          refusal={refusal}
          onClick={() => move("resume")}
        >
          {text.page.resume}
        </MayButton>
      )}
      {State === "ready" && (
        <MayButton
          leftSection={<IconPlayerPlay size={16} />}
          refusal={mayStart}
          onClick={() => setOpen("start")}
        >
          {text.page.start}
        </MayButton>
      )}
      {open === "start" && <StartSheet campaign={campaign} onClose={close} />}
      {open === "stop" && <StopSheet campaign={campaign} onClose={close} />}
      {open === "reverse" && <ReverseSheet campaign={campaign} onClose={close} />}
      {(open === "pause" || open === "resume") && (
        <MoveSheet campaign={campaign} to={open} onClose={close} />
      )}
    </Group>
  );
}
