import type { BulkUndoResult } from "@gamekeeper/client";
import { Alert, Stack, Table, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { grouped } from "~/format";
import { kindLabel } from "~/parts/actions/kinds";
import { otherFailures } from "./conflicts";
import { Recipients } from "./Recipients";
import { text } from "./text";

const MAX_LINES = 20;

/** What became of the actions or, in a dry run, would: to whom items went, and kind by kind. */
export function Result({ result }: { result: BulkUndoResult }) {
  const left = otherFailures(result);
  return (
    <Stack gap="md">
      {result.Recipients.length > 0 && <Recipients result={result} />}
      <Kinds result={result} />
      {left.length > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle />} title={text.leftTitle(left.length)}>
          <Stack gap={4}>
            {[...new Set(left.map((one) => `${kindLabel(one.Kind)}: ${one.Message}`))]
              .slice(0, MAX_LINES)
              .map((line) => (
                <Text size="sm" key={line}>
                  {line}
                </Text>
              ))}
          </Stack>
        </Alert>
      )}
    </Stack>
  );
}

function Kinds({ result }: { result: BulkUndoResult }) {
  return (
    <Table aria-label={text.kinds.label} fz="sm" verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text.kinds.kind}</Table.Th>
          <Table.Th ta="right">{text.kinds.found}</Table.Th>
          <Table.Th ta="right">{result.DryRun ? text.kinds.preview : text.kinds.undone}</Table.Th>
          <Table.Th ta="right">{text.kinds.left}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {result.Kinds.map((kind) => (
          <Table.Tr key={kind.Kind}>
            <Table.Td>{kindLabel(kind.Kind)}</Table.Td>
            <Table.Td ta="right">{grouped(kind.Found)}</Table.Td>
            <Table.Td ta="right">{grouped(kind.Undone)}</Table.Td>
            <Table.Td ta="right">{grouped(kind.Left)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
