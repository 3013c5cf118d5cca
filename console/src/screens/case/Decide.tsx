import type { Case, CaseDetails, FrozenLine } from "@gamekeeper/client";
import { Button, Group, Modal, Stack, Text, Title, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  IconAlertTriangle,
  IconBan,
  IconCheck,
  IconHandStop,
  IconHelpCircle,
  IconMessageOff,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Card } from "~/parts/Card";
import { CloseSheet } from "~/parts/cases/CloseSheet";
import { claim, release, reopen } from "~/parts/cases/change";
import { OutcomeMark, reportedName, useIsMine } from "~/parts/cases/marks";
import { text as cases } from "~/parts/cases/text";
import { SanctionComposer } from "~/parts/sanctions/SanctionComposer";
import type { Target } from "~/parts/sanctions/target";
import { useMay } from "~/session";
import { toastDone, toastFailed } from "~/toasts";
import classes from "./case.module.css";
import { closeWith } from "./closeWith";
import { QuestionForm } from "./NoteForm";
import { text } from "./text";

interface DecideProps {
  details: CaseDetails;
  evidence: FrozenLine[];
}

/** What to do about it: warn, mute, ban, nothing, or ask; and who handles it. */
export function Decide({ details, evidence }: DecideProps) {
  if (details.Case.State === "closed") return <Decided details={details} />;
  return <Choices about={details.Case} evidence={evidence} />;
}

const SANCTIONS = [
  { kind: "warning", label: text.warn, icon: IconAlertTriangle },
  { kind: "mute", label: text.mute, icon: IconMessageOff },
  { kind: "ban", label: text.ban, icon: IconBan },
] as const;

function Choices({ about, evidence }: { about: Case; evidence: FrozenLine[] }) {
  const [kind, setKind] = useState<"warning" | "mute" | "ban" | null>(null);
  const [asking, question] = useDisclosure(false);
  const [closing, sheet] = useDisclosure(false);
  const mayManage = useMay("reports.manage");
  const maySanction = useMay("sanctions.manage");
  const mine = useIsMine();
  const other = about.ClaimedBy && !mine(about) ? (about.ClaimedByName ?? "") : null;
  const why = mayManage ? other !== null && cases.claimedByOther(other) : cases.mayNot;
  const whyNoSanction = why || (!maySanction && text.maySanction);

  return (
    <Card title={text.decide} beside={mayManage && <ClaimButton about={about} />}>
      {why && (
        <Text size="sm" c="dimmed">
          {why}
        </Text>
      )}
      <div className={classes.choices}>
        {SANCTIONS.map(({ kind: one, label, icon: Icon }) => (
          <Choice
            key={one}
            label={label}
            icon={<Icon size={16} />}
            why={whyNoSanction}
            onChoose={() => setKind(one)}
          />
        ))}
        <Choice
          label={text.noAction}
          icon={<IconCheck size={16} />}
          why={why}
          onChoose={sheet.open}
        />
      </div>
      {mayManage && (
        <Button variant="subtle" leftSection={<IconHelpCircle size={16} />} onClick={question.open}>
          {text.note.ask}
        </Button>
      )}
      {kind && (
        <SanctionComposer
          key={kind}
          opened
          onClose={() => setKind(null)}
          target={targetOf(about)}
          kind={kind}
          excerpt={evidence}
          impose={closeWith(about)}
        />
      )}
      <CloseSheet about={about} opened={closing} onClose={sheet.close} />
      <Modal
        opened={asking}
        onClose={question.close}
        title={
          <Title order={2} component="span">
            {text.note.ask}
          </Title>
        }
        closeButtonProps={{ "aria-label": text.note.cancel }}
      >
        <QuestionForm about={about} onDone={question.close} />
      </Modal>
    </Card>
  );
}

interface ChoiceProps {
  label: string;
  icon: React.ReactNode;
  /** Why it cannot be chosen. */
  why: string | false;
  onChoose: () => void;
}

function Choice({ label, icon, why, onChoose }: ChoiceProps) {
  return (
    <Tooltip label={why} disabled={!why}>
      <Button
        variant="default"
        leftSection={icon}
        data-disabled={why ? true : undefined}
        aria-disabled={Boolean(why)}
        onClick={() => !why && onChoose()}
      >
        {label}
      </Button>
    </Tooltip>
  );
}

function ClaimButton({ about }: { about: Case }) {
  if (about.ClaimedBy) {
    return (
      <Button size="xs" variant="default" onClick={() => void release(about)}>
        {cases.release}
      </Button>
    );
  }
  return (
    <Button size="xs" leftSection={<IconHandStop size={16} />} onClick={() => void claim(about)}>
      {cases.claim}
    </Button>
  );
}

function targetOf(about: Case): Target {
  return {
    userId: about.UserId,
    userName: about.UserName ?? undefined,
    player: about.PlayerName ? { id: about.PlayerId, name: about.PlayerName } : undefined,
  };
}

/** How it ended, and the way back. */
function Decided({ details: { Case: about, AppealIds } }: { details: CaseDetails }) {
  const mayManage = useMay("reports.manage");
  const [appeal] = AppealIds;
  async function again() {
    try {
      await reopen(about);
      toastDone(cases.close.reopened(reportedName(about)));
    } catch (error) {
      toastFailed(error, cases.close.notReopened);
    }
  }
  return (
    <Card title={text.decided}>
      <Stack gap="sm">
        <OutcomeMark outcome={about.Outcome} />
        {about.SanctionId && (
          <Link to="/moderation" search={{ tab: "sanctions", code: about.SanctionId }}>
            {text.openSanction}
          </Link>
        )}
        {appeal && (
          <Link to="/moderation" search={{ tab: "appeals", appeal }}>
            {text.appeals(AppealIds.length)}
          </Link>
        )}
        {mayManage && (
          <Group gap="sm">
            <Button variant="default" size="xs" onClick={() => void again()}>
              {cases.close.reopen}
            </Button>
            {about.SanctionId && (
              <Text size="sm" c="dimmed">
                {text.reopenHint}
              </Text>
            )}
          </Group>
        )}
      </Stack>
    </Card>
  );
}
