import type { EconomyFinding } from "@gamekeeper/client";
import { Anchor, Badge, Button, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { grouped } from "~/format";
import { type Column, DataTable } from "~/parts/DataTable";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { AcknowledgeSheet } from "./AcknowledgeSheet";
import { text } from "./text";

/** Findings, each with its actions, its note, or a button to acknowledge it. */
export function FindingTable({ findings }: { findings: EconomyFinding[] }) {
  const [open, setOpen] = useState<EconomyFinding | null>(null);
  const mayManage = useMay("economy.manage");
  const mayRead = useMay("actions.read");
  return (
    <>
      <DataTable
        label={text.title}
        columns={[
          ...COLUMNS,
          {
            key: "state",
            title: text.state,
            cell: (finding) => (
              <Group gap="sm">
                {mayRead && <ActionsLink finding={finding} />}
                <State finding={finding} onOpen={mayManage ? setOpen : undefined} />
              </Group>
            ),
          },
        ]}
        rows={findings}
        rowKey={(finding) => finding.Id}
      />
      {open && <AcknowledgeSheet finding={open} onClose={() => setOpen(null)} />}
    </>
  );
}

interface StateProps {
  finding: EconomyFinding;
  onOpen: ((finding: EconomyFinding) => void) | undefined;
}

function State({ finding, onOpen }: StateProps) {
  if (finding.State === "open") {
    return onOpen ? (
      <Button size="compact-sm" variant="default" onClick={() => onOpen(finding)}>
        {text.acknowledge}
      </Button>
    ) : (
      <Badge variant="default">{text.states.open}</Badge>
    );
  }
  return (
    <div>
      <Text size="sm">{finding.Note}</Text>
      <Text size="xs" c="dimmed">
        {text.states.acknowledged} {text.by} {finding.AcknowledgedByName}
      </Text>
    </div>
  );
}

function ActionsLink({ finding }: { finding: EconomyFinding }) {
  const search = {
    from: finding.BeganAt,
    to: finding.EndedAt,
    ...(finding.ItemId && { item: finding.ItemId }),
  };
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to="/actions" search={search} {...props} />}>
      {text.actions}
    </Anchor>
  );
}

const COLUMNS: Column<EconomyFinding>[] = [
  {
    key: "what",
    title: text.what,
    cell: (finding) => (
      <div>
        {finding.ItemId ? (
          <Link to="/economy/$item" params={{ item: finding.ItemId }}>
            {finding.ItemName ?? finding.ItemId}
          </Link>
        ) : (
          finding.Measure !== "accounts" && text.allItems
        )}
        <Text size="xs" c="dimmed">
          {text.measures[finding.Measure]}
          {finding.ActorName && ` · ${finding.ActorName}`}
        </Text>
      </div>
    ),
  },
  {
    key: "quantity",
    title: text.quantity,
    numeric: true,
    cell: (finding) => grouped(finding.Quantity),
  },
  {
    key: "usual",
    title: text.usual,
    secondary: true,
    cell: (finding) =>
      finding.Rule === null ? text.usually(finding.Usual ?? 0) : text.rule(finding.Rule),
  },
  {
    key: "when",
    title: text.when,
    secondary: true,
    cell: (finding) => <When at={finding.BeganAt} />,
  },
];
