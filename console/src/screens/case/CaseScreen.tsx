import type { CaseDetails } from "@gamekeeper/client";
import { isError } from "@gamekeeper/client";
import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconArrowLeft, IconEye } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { get } from "~/api";
import { CopyId } from "~/parts/CopyId";
import { CategoryMark, ClaimMark, OutcomeMark, reportedName } from "~/parts/cases/marks";
import { NewReports } from "~/parts/cases/NewReports";
import { text as cases } from "~/parts/cases/text";
import { Page } from "~/parts/Page";
import { useAccountRecord } from "~/parts/sanctions/useRecord";
import { Answered, Empty, Forbidden } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import classes from "./case.module.css";
import { Decide } from "./Decide";
import { History } from "./History";
import { LinkedCard } from "./LinkedCard";
import { PlayerCard } from "./PlayerCard";
import { Story } from "./Story";
import { evidenceOf } from "./story";
import { text } from "./text";
import { useViewers } from "./useViewers";

/** One case: what happened, who it is about, and the decision. */
export function CaseScreen() {
  const { case: id } = useParams({ from: "/cases/$case" });
  const mayRead = useMay("reports.read");
  const details = useQuery({
    ...get("/api/v1/cases/{id}", { params: { path: { id } } }),
    enabled: mayRead,
  });
  if (details.data) return <Known key={id} details={details.data} reload={details.refetch} />;
  return (
    <Page title={text.loading}>
      <Back />
      {mayRead ? (
        isError(details.error, "own_case") ? (
          <Empty title={text.own} hint={text.ownHint} />
        ) : (
          <Answered query={details}>{() => null}</Answered>
        )
      ) : (
        <Forbidden scope="reports.read" />
      )}
    </Page>
  );
}

function Known({ details, reload }: { details: CaseDetails; reload: () => Promise<unknown> }) {
  const about = details.Case;
  const viewers = useViewers(about);
  const chat = useQuery(get("/api/v1/cases/{id}/chat", { params: { path: { id: about.Id } } }));
  const record = useAccountRecord(about.UserId);
  // Null: as it comes; what is chosen stays when more reports arrive.
  const [chosen, setChosen] = useState<string[] | null>(null);
  const lines = chat.data?.Values ?? [];
  const evidence = chosen ?? evidenceOf(lines, about.UserId);
  const isNarrow = useMediaQuery("(max-width: 62em)");
  const shown = lines.map(({ Line }) => Line).filter(({ Id }) => evidence.includes(Id));
  const decide = <Decide details={details} evidence={shown} />;

  return (
    <Page
      title={text.title(reportedName(about))}
      beside={<CopyId id={about.Id} what={text.id} />}
      filters={<Facts details={details} />}
    >
      {viewers.names.length > 0 && (
        <Alert icon={<IconEye />} color="yellow" p="xs" role="status">
          {text.alsoHere(viewers.names.join(", "))}
        </Alert>
      )}
      <NewReports
        count={viewers.newReports}
        onShow={() => void Promise.all([reload(), chat.refetch()])}
      />
      <div className={classes.layout}>
        {/* On a phone nobody finds the buttons below a long story. */}
        {isNarrow && decide}
        <Story
          details={details}
          chat={chat}
          sanctions={record.data?.Values ?? []}
          evidence={evidence}
          onEvidence={setChosen}
        />
        <Stack className={classes.side}>
          {!isNarrow && decide}
          <PlayerCard about={about} record={record.data?.Values ?? []} />
          <LinkedCard about={about} />
          <History details={details} record={record.data?.Values ?? []} />
        </Stack>
      </div>
    </Page>
  );
}

function Back() {
  return (
    <Group>
      <Button
        variant="subtle"
        size="compact-md"
        leftSection={<IconArrowLeft size={16} />}
        renderRoot={(props) => <Link to="/moderation" search={{ tab: "reports" }} {...props} />}
      >
        {text.back}
      </Button>
    </Group>
  );
}

function Facts({ details: { Case: about } }: { details: CaseDetails }) {
  return (
    <Group gap="lg">
      <Back />
      <OutcomeMark outcome={about.Outcome} />
      <CategoryMark category={about.Category} severity={about.Severity} />
      <Text size="sm">
        {cases.reports(about.Reports)} {text.by} {cases.reporters(about.Reporters)}
      </Text>
      <Text size="sm" component="div">
        <Text span c="dimmed" size="sm">
          {text.opened}{" "}
        </Text>
        <When at={about.OpenedAt} span />
      </Text>
      {about.State === "open" && <ClaimMark of={about} />}
    </Group>
  );
}
