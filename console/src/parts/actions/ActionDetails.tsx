import { Group, Stack, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { exact } from "~/format";
import { CopyId } from "~/parts/CopyId";
import { Quantity } from "~/parts/Quantity";
import { useTimeZone } from "~/preferences";
import classes from "./actions.module.css";
import { type Entry, transactionOf } from "./entry";
import { FieldChanges } from "./FieldChanges";
import { kindLabel } from "./kinds";
import { Listed } from "./Phrase";
import { Pieces } from "./Pieces";
import { PlayerName } from "./people";
import { text } from "./text";

/** All that the log knows of an action: what changed, slot by slot, and by which request. */
export function ActionDetails({ entry, children }: { entry: Entry; children?: ReactNode }) {
  const [zone] = useTimeZone();
  const transaction = transactionOf(entry);
  return (
    <Stack gap="sm" className={classes.details}>
      {entry.Postings && entry.Postings.length > 0 ? (
        <Postings entry={entry} />
      ) : (
        <FieldChanges before={entry.Before} after={entry.After} />
      )}
      <Group gap="lg" className={classes.facts}>
        <Fact label={text.details.exact}>{exact(new Date(entry.At), zone)}</Fact>
        <Fact label={text.details.kind}>{kindLabel(entry.Kind)}</Fact>
        {entry.ApprovedByName && <Fact label={text.details.approved}>{entry.ApprovedByName}</Fact>}
        {entry.Address && <Fact label={text.details.address}>{entry.Address}</Fact>}
        {transaction && (
          <Fact label={text.details.trade}>
            <Link to="/actions" search={{ transaction }}>
              {text.details.openTrade}
            </Link>
          </Fact>
        )}
        <Fact label={text.details.id}>
          <CopyId id={entry.Id} what={text.details.actionId} />
        </Fact>
        {entry.RequestId && (
          <Fact label={text.details.request}>
            <CopyId id={entry.RequestId} what={text.details.requestId} />
          </Fact>
        )}
      </Group>
      {children}
    </Stack>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="xs" component="div">
        {children}
      </Text>
    </Group>
  );
}

/** Every slot that changed. */
function Postings({ entry }: { entry: Entry }) {
  return (
    <Table.ScrollContainer minWidth={0} scrollAreaProps={{ offsetScrollbars: false }}>
      <Table aria-label={text.details.slots} verticalSpacing={4} fz="sm" className={classes.slots}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.details.item}</Table.Th>
            <Table.Th>{text.details.where}</Table.Th>
            <Table.Th ta="right">{text.details.change}</Table.Th>
            <Table.Th>{text.details.with}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entry.Postings?.map((posting) => (
            <Table.Tr key={posting.Seq}>
              <Table.Td>
                <Pieces item={posting.ItemId} name={posting.ItemName} />
              </Table.Td>
              <Table.Td>
                {text.details.slot(text.places[posting.Place] ?? posting.Place, posting.Slot)}
              </Table.Td>
              <Table.Td ta="right" className={classes.nowrap}>
                {posting.HeldBefore} → {posting.HeldAfter} <Quantity change={posting.Quantity} />
              </Table.Td>
              <Table.Td>
                {posting.Counterparties.length > 0 ? (
                  <Listed
                    values={posting.Counterparties.map((party) => (
                      <PlayerName key={party.PlayerId} name={party.Name} />
                    ))}
                    and={text.and}
                  />
                ) : (
                  (text.details.against[posting.Against] ?? posting.Against)
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
