import type { CaseDetails, Sanction } from "@gamekeeper/client";
import { Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Card } from "~/parts/Card";
import { OutcomeMark } from "~/parts/cases/marks";
import { text as cases } from "~/parts/cases/text";
import { SanctionBadge } from "~/parts/sanctions/SanctionBadge";
import { When } from "~/parts/When";
import { text } from "./text";

interface Entry {
  key: string;
  at: string;
  mark: ReactNode;
  words: ReactNode;
}

/** How earlier cases about the account ended, and its sanctions; newest first. */
export function History({ details, record }: { details: CaseDetails; record: Sanction[] }) {
  const entries: Entry[] = [
    ...details.Earlier.map((one) => ({
      key: one.Id,
      at: one.ClosedAt ?? one.OpenedAt,
      mark: <OutcomeMark outcome={one.Outcome} />,
      words: (
        <Link to="/cases/$case" params={{ case: one.Id }}>
          {text.earlierCase(cases.reports(one.Reports))}
        </Link>
      ),
    })),
    ...record
      .filter((one) => one.Id !== details.Case.SanctionId)
      .map((one) => ({
        key: one.Id,
        at: one.ImposedAt,
        mark: <SanctionBadge sanction={one} />,
        words: one.Reason || one.Message,
      })),
  ].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  return (
    <Card title={text.history}>
      {entries.length === 0 ? (
        <Text c="dimmed">{text.noHistory}</Text>
      ) : (
        <Stack gap="md">
          {entries.map(({ key, at, mark, words }) => (
            <div key={key}>
              <Group justify="space-between" gap="xs">
                {mark}
                <Text size="sm" c="dimmed">
                  <When at={at} span />
                </Text>
              </Group>
              <Text size="sm" mt={4} lineClamp={3}>
                {words}
              </Text>
            </div>
          ))}
        </Stack>
      )}
    </Card>
  );
}
