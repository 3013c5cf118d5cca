import type { Campaign } from "@gamekeeper/client";
import { List, Text } from "@mantine/core";
import { gk } from "~/api";
import type { ChangeInit } from "~/change";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { useLimitNotice } from "~/parts/rights/LimitNotice";
import { StepSheet } from "../StepSheet";
import { DryRunReport } from "./DryRunReport";
import { boundOf } from "./delivery";
import { text } from "./text";
import { useDryRun } from "./useDryRun";
import { createdPieces } from "./work";

interface CampaignSheetProps {
  campaign: Campaign;
  onClose: () => void;
}

/** Start a campaign, with its dry run; beyond one's limits it asks for approval. */
export function StartSheet({ campaign, onClose }: CampaignSheetProps) {
  const dryRun = useDryRun(campaign.Id, true);
  const charge = { pieces: createdPieces(campaign.Work, boundOf(campaign)) };
  const isBeyond = useLimitNotice(charge)?.isBeyond ?? false;
  return (
    <StepSheet
      permission="campaigns.manage"
      onClose={onClose}
      title={text.change.startTitle}
      whom={whomOf(campaign)}
      preview={dryRun.data && <DryRunReport report={dryRun.data} brief />}
      previewLoading={dryRun.isPending}
      previewError={dryRun.error}
      charge={charge}
      submitLabel={isBeyond ? text.change.ask : text.change.start}
      done={text.change.started(campaign.Name)}
      submit={(init) =>
        gk.post("/api/v1/campaigns/{campaign_id}/start", {
          params: { path: { campaign_id: campaign.Id } },
          ...init,
        })
      }
    />
  );
}

/** Who gets it: those who were collected, or no more than the bound. */
function whomOf({ OnJoin, Segment, ...counts }: Campaign): string {
  const count = boundOf({ OnJoin, ...counts });
  return OnJoin ? text.change.startJoinWhom(count, Segment) : text.change.startWhom(count, Segment);
}

/** End a campaign for good, or cancel the planned reversal of a finished one. */
export function StopSheet({ campaign, onClose }: CampaignSheetProps) {
  const { Done, Skipped, Refused, Recipients, MaxRecipients, State } = campaign;
  const words = State === "finished" ? text.change.keep : text.change.stop;
  const waiting =
    MaxRecipients === null ? Recipients - Done - Skipped - Refused : MaxRecipients - Done;
  const label = campaign.OnJoin ? text.change.room : text.change.waiting;
  return (
    <StepSheet
      permission="campaigns.manage"
      onClose={onClose}
      title={words.title}
      whom={words.whom}
      preview={
        <BeforeAfter
          changes={[
            { key: "done", label: text.change.doneLabel, before: Done, after: Done },
            { key: "waiting", label, before: waiting, after: 0 },
          ]}
        />
      }
      done={words.done(campaign.Name)}
      submit={(init) =>
        gk.post("/api/v1/campaigns/{campaign_id}/stop", {
          params: { path: { campaign_id: campaign.Id } },
          ...init,
        })
      }
    />
  );
}

export type Move = "pause" | "resume";

export function moveTo(campaign: string, to: Move, init: ChangeInit) {
  return gk.post(`/api/v1/campaigns/{campaign_id}/${to}`, {
    params: { path: { campaign_id: campaign } },
    ...init,
  });
}

/** Pause or resume a campaign with a reason, where the operator requires one. */
export function MoveSheet({ campaign, to, onClose }: CampaignSheetProps & { to: Move }) {
  const words = text.change.moves[to];
  return (
    <StepSheet
      permission="campaigns.manage"
      onClose={onClose}
      title={words.title}
      whom={words.whom}
      preview={
        <BeforeAfter
          changes={[
            {
              key: "state",
              label: text.columns.state,
              before: text.states[campaign.State],
              after: text.states[to === "pause" ? "paused" : "running"],
            },
          ]}
        />
      }
      done={words.done(campaign.Name)}
      submit={(init) => moveTo(campaign.Id, to, init)}
    />
  );
}

/** Kinds of work that can be taken back: messages cannot. */
type Reversible = keyof typeof text.change.consequences;

/** Undo the work for every recipient, with the consequences for this kind of work. */
export function ReverseSheet({ campaign, onClose }: CampaignSheetProps) {
  return (
    <StepSheet
      permission="campaigns.manage"
      onClose={onClose}
      title={text.change.reverseTitle}
      whom={text.change.reverseWhom(campaign.Done)}
      preview={
        <List size="sm" spacing={4}>
          {text.change.consequences[campaign.Work.Kind as Reversible].map((line) => (
            <List.Item key={line}>{line}</List.Item>
          ))}
          <List.Item>
            <Text span inherit>
              {text.change.undos}
            </Text>
          </List.Item>
        </List>
      }
      charge={{ undos: campaign.Done }}
      done={text.change.reversing(campaign.Name)}
      submit={(init) =>
        gk.post("/api/v1/campaigns/{campaign_id}/reverse", {
          params: { path: { campaign_id: campaign.Id } },
          ...init,
        })
      }
    />
  );
}
