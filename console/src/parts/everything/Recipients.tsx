import type { BulkUndoResult, UndoRecipient, UndoRecipientItem } from "@gamekeeper/client";
import { Table, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { grouped } from "~/format";
import { Pieces } from "~/parts/actions/Pieces";
import { PlayerName } from "~/parts/actions/people";
import { text as actionText } from "~/parts/actions/text";
import { Named } from "~/parts/actions/UndoSheet";
import { Quantity } from "~/parts/Quantity";
import { type Conflict, conflictsOf } from "./conflicts";
import classes from "./everything.module.css";
import { text } from "./text";

const MAX_RECIPIENTS = 20;
const words = text.recipients;

/** Who received what left, how much of it comes back, and why the rest does not. */
export function Recipients({ result }: { result: BulkUndoResult }) {
  const rest = result.Recipients.length - MAX_RECIPIENTS;
  return (
    <div>
      <Table aria-label={words.label} fz="sm" verticalSpacing={4} className={classes.recipients}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.item}</Table.Th>
            <Table.Th ta="right">{words.left}</Table.Th>
            <Table.Th ta="right">{result.DryRun ? words.preview : words.undone}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        {result.Recipients.slice(0, MAX_RECIPIENTS).map((recipient) => (
          <Recipient
            key={recipient.PlayerId ?? ""}
            recipient={recipient}
            conflicts={conflictsOf(recipient, result.Left)}
          />
        ))}
      </Table>
      {rest > 0 && (
        <Text size="sm" c="dimmed" mt={4}>
          {words.more(rest)}
        </Text>
      )}
    </div>
  );
}

interface RecipientProps {
  recipient: UndoRecipient;
  conflicts: Conflict[];
}

function Recipient({ recipient, conflicts }: RecipientProps) {
  const { PlayerId, Name, Found, AlreadyUndone, Items } = recipient;
  return (
    <Table.Tbody>
      <Table.Tr className={classes.recipient}>
        <Table.Th colSpan={3} scope="rowgroup">
          {PlayerId ? (
            <>
              {words.to} <PlayerName name={Name} />
            </>
          ) : (
            words.nobody
          )}
          <Text size="xs" c="dimmed" fw={400}>
            {words.actions(Found)}
            {AlreadyUndone > 0 && `, ${words.before(AlreadyUndone)}`}
            {!PlayerId && ` · ${words.nobodyHint}`}
          </Text>
        </Table.Th>
      </Table.Tr>
      {Items.map((item) => (
        <ItemRow key={item.ItemId} item={item} />
      ))}
      {conflicts.length > 0 && (
        <Table.Tr>
          <Table.Td colSpan={3} className={classes.conflicts}>
            {conflicts.map((conflict) => (
              <ConflictLine key={conflict.key} conflict={conflict} />
            ))}
          </Table.Td>
        </Table.Tr>
      )}
    </Table.Tbody>
  );
}

function ItemRow({ item }: { item: UndoRecipientItem }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Pieces item={item.ItemId} name={item.ItemName} />
      </Table.Td>
      <Table.Td ta="right">{grouped(item.Quantity)}</Table.Td>
      <Table.Td ta="right">
        <Quantity change={item.Returned} />
      </Table.Td>
    </Table.Tr>
  );
}

function ConflictLine({ conflict }: { conflict: Conflict }) {
  const { obstacle, message, wanted, possible, handedTo } = conflict;
  return (
    <Text size="sm" component="div" className={classes.conflict}>
      <IconAlertTriangle size={16} aria-hidden="true" />
      <span>
        {words.stays}{" "}
        {obstacle ? (
          <>
            {obstacle.PlayerName && `${obstacle.PlayerName}, `}
            <Named change={obstacle} />: {actionText.undo.reasons[obstacle.Reason] ?? message}
            {wanted > 0 && ` ${words.possible(possible, wanted)}`}
            {handedTo.length > 0 && ` ${words.handedOn(handedTo.join(", "))}`}
          </>
        ) : (
          message
        )}
      </span>
    </Text>
  );
}
