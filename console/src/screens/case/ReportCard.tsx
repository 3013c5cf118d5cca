import type { PlayerReport } from "@gamekeeper/client";
import { Group, Stack, Text, Tooltip } from "@mantine/core";
import { text as cases } from "~/parts/cases/text";
import { AccountLink, PlayerLink } from "~/parts/people";
import { useMay } from "~/session";
import classes from "./case.module.css";
import { text } from "./text";

/** What one player wrote about another. */
export function ReportCard({ report }: { report: PlayerReport }) {
  const { X, Y, Text: words, MessageIds, Times } = report;
  const facts = [
    cases.categories[report.Category],
    Times > 1 && text.report.times(Times),
    X !== null && Y !== null && text.report.place(X, Y),
    MessageIds.length > 0 && text.report.named(MessageIds.length),
  ].filter(Boolean);
  return (
    <Stack gap={6}>
      <Text className={classes.words} c={words ? undefined : "dimmed"}>
        {words || (words === null ? text.report.gone : text.report.noText)}
      </Text>
      <Group gap="xs">
        <Text size="sm" c="dimmed" component="div">
          {facts.join(" · ")} · {text.report.by} <Reporter of={report} />
        </Text>
      </Group>
    </Stack>
  );
}

function Reporter({ of: report }: { of: PlayerReport }) {
  const maySee = useMay("reports.reporters");
  if (!maySee) {
    return (
      <Tooltip label={text.report.mayNot}>
        <span>{text.report.hidden}</span>
      </Tooltip>
    );
  }
  if (report.ReporterPlayerName) return <PlayerLink name={report.ReporterPlayerName} />;
  if (report.ReporterName) return <AccountLink name={report.ReporterName} />;
  return <span>{text.report.erased}</span>;
}
