import type { CaseChat, CaseDetails, Sanction } from "@gamekeeper/client";
import { Alert, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconCircleCheck, IconFlag, IconGavel, IconNote } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { text as cases } from "~/parts/cases/text";
import { ActorLink } from "~/parts/people";
import { SanctionBadge } from "~/parts/sanctions/SanctionBadge";
import { Answered } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { ChatLines } from "./ChatLines";
import classes from "./case.module.css";
import { NoteForm } from "./NoteForm";
import { ReportCard } from "./ReportCard";
import { type Part, storyOf } from "./story";
import { text } from "./text";

interface StoryProps {
  details: CaseDetails;
  chat: UseQueryResult<CaseChat>;
  sanctions: Sanction[];
  /** The ids of the messages that are evidence. */
  evidence: string[];
  onEvidence: (ids: string[]) => void;
}

/** Reports, the chat around them, notes and sanctions, in the order of time. */
export function Story({ details, chat, sanctions, evidence, onEvidence }: StoryProps) {
  const mayManage = useMay("reports.manage");
  const isOpen = details.Case.State === "open";
  return (
    <Stack component="section" aria-label={text.story}>
      <Group justify="space-between">
        <Title order={2}>{text.story}</Title>
        {isOpen && mayManage && evidence.length > 0 && (
          <Text size="sm" c="dimmed" aria-live="polite">
            {text.selected(evidence.length)}
          </Text>
        )}
      </Group>
      <Answered query={chat}>
        {(found) => (
          <>
            {found.IsTruncated && <Alert color="yellow">{text.truncated}</Alert>}
            {found.Values.length === 0 && <Text c="dimmed">{text.noChat}</Text>}
            {storyOf(details, found.Values, sanctions).map((part) => (
              <Told
                key={`${part.what} ${part.at}`}
                part={part}
                details={details}
                evidence={evidence}
                onEvidence={isOpen && mayManage ? onEvidence : undefined}
              />
            ))}
          </>
        )}
      </Answered>
      {mayManage && <NoteForm about={details.Case} />}
    </Stack>
  );
}

interface ToldProps {
  part: Part;
  details: CaseDetails;
  evidence: string[];
  onEvidence: ((ids: string[]) => void) | undefined;
}

function Told({ part, details, evidence, onEvidence }: ToldProps) {
  switch (part.what) {
    case "chat":
      return (
        <ChatLines
          lines={part.lines}
          userId={details.Case.UserId}
          evidence={evidence}
          onEvidence={onEvidence}
        />
      );
    case "report":
      return (
        <Item icon={<IconFlag size={16} />} label={text.report.label} at={part.report.FiledAt}>
          <ReportCard report={part.report} />
        </Item>
      );
    case "note":
      return (
        <Item
          icon={<IconNote size={16} />}
          label={text.note.label}
          at={part.at}
          by={<ActorLink actor={part.note.By} name={part.note.ByName} />}
        >
          <Text className={classes.words} c={part.note.Text === null ? "dimmed" : undefined}>
            {part.note.Text ?? text.note.gone}
          </Text>
        </Item>
      );
    case "sanction":
      return (
        <Item
          icon={<IconGavel size={16} />}
          label={text.sanction}
          at={part.at}
          by={<ActorLink actor={part.sanction.ImposedBy} name={part.sanction.ImposedByName} />}
        >
          <Group gap="sm">
            <SanctionBadge sanction={part.sanction} />
            <Text size="sm">{part.sanction.Reason || part.sanction.Message}</Text>
          </Group>
        </Item>
      );
    case "closed":
      return (
        <Item
          icon={<IconCircleCheck size={16} />}
          label={text.closed}
          at={part.at}
          by={
            <ActorLink actor={details.Case.ClosedBy ?? ""} name={details.Case.ClosedByName ?? ""} />
          }
        >
          <Text fw={550}>{cases.outcomes[details.Case.Outcome ?? "none"]}</Text>
          {details.ClosingNote && <Text className={classes.words}>{details.ClosingNote}</Text>}
        </Item>
      );
  }
}

interface ItemProps {
  icon: ReactNode;
  label: string;
  at: string;
  by?: ReactNode;
  children: ReactNode;
}

function Item({ icon, label, at, by, children }: ItemProps) {
  return (
    <Paper withBorder p="md" component="article" aria-label={label}>
      <Group gap={8} mb={6} c="dimmed">
        {icon}
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Text size="sm" component="div">
          <When at={at} span />
          {by && (
            <>
              {" "}
              {text.by} {by}
            </>
          )}
        </Text>
      </Group>
      {children}
    </Paper>
  );
}
