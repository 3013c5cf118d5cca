import type { BulkUndoResult } from "@gamekeeper/client";
import { Alert, SegmentedControl, Stack, Table, Text, TextInput } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { gk } from "~/api";
import { type ChangeInit, withSecondFactor } from "~/change";
import { grouped } from "~/format";
import { kindLabel } from "~/parts/actions/kinds";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { fromLocal, toLocal } from "./instants";
import { text } from "./text";

const SPANS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;
const MOST_CALLS = 100;
const MOST_LINES = 20;

type Span = keyof typeof SPANS | "other";

interface EverythingSheetProps {
  actor: string;
  name: string;
  /** Since when, if the filter says it. */
  from: string | undefined;
  opened: boolean;
  onClose: () => void;
}

/** Undo all that somebody did since an instant: counted first, then done. */
export function EverythingSheet({ actor, name, opened, onClose, ...rest }: EverythingSheetProps) {
  const [now] = useState(() => Date.now());
  const [span, setSpan] = useState<Span>(rest.from ? "other" : "hour");
  const [typed, setTyped] = useState(rest.from ?? new Date(now - SPANS.day).toISOString());
  const from = span === "other" ? typed : new Date(now - SPANS[span]).toISOString();
  const asked = { actor, from, to: new Date(now).toISOString() };
  const dryRun = useQuery({
    queryKey: ["undo", asked],
    queryFn: () => withSecondFactor(() => all({ ...asked, dryrun: true })),
    enabled: opened,
    gcTime: 0,
    staleTime: 0,
    // Whoever closes the question about the second factor is not asked again at once.
    refetchOnWindowFocus: false,
  });
  const found = dryRun.data;
  const count = found?.Kinds.reduce((sum, kind) => sum + kind.Undone, 0) ?? 0;

  return (
    <ChangeSheet
      opened={opened}
      onClose={onClose}
      title={text.everything.title(name)}
      whom={text.everything.whom}
      subject={{}}
      undoable={false}
      preview={
        found && (found.Kinds.length > 0 ? <Foreseen result={found} /> : text.everything.nothing)
      }
      previewLoading={dryRun.isFetching}
      previewError={dryRun.error}
      ready={count > 0}
      submitLabel={text.everything.submit(count)}
      done={text.everything.done(count, name)}
      submit={(reason, init) => all({ ...asked, ...(reason && { reason }) }, init)}
    >
      <SegmentedControl
        fullWidth
        aria-label={text.everything.since}
        data={(["hour", "day", "week", "other"] as const).map((value) => ({
          value,
          label: text.everything.spans[value],
        }))}
        value={span}
        onChange={(value) => setSpan(value as Span)}
      />
      {span === "other" && (
        <TextInput
          type="datetime-local"
          label={text.everything.from}
          value={toLocal(typed)}
          onChange={(event) => setTyped(fromLocal(event.currentTarget.value) ?? typed)}
        />
      )}
    </ChangeSheet>
  );
}

/** What would become of them, kind by kind, and what would be left. */
function Foreseen({ result }: { result: BulkUndoResult }) {
  return (
    <Stack gap="sm">
      <Table aria-label={text.everything.table} fz="sm" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.everything.kind}</Table.Th>
            <Table.Th ta="right">{text.everything.found}</Table.Th>
            <Table.Th ta="right">{text.everything.would}</Table.Th>
            <Table.Th ta="right">{text.everything.left}</Table.Th>
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
      {result.Left.length > 0 && (
        <Alert
          color="yellow"
          icon={<IconAlertTriangle />}
          title={text.everything.leftTitle(result.Left.length)}
        >
          <Stack gap={4}>
            {[...new Set(result.Left.map((one) => `${kindLabel(one.Kind)}: ${one.Message}`))]
              .slice(0, MOST_LINES)
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

interface Asked {
  actor: string;
  from: string;
  to: string;
  dryrun?: boolean;
  reason?: string;
}

/** One call does a part; they go on until the end, and count together. */
async function all(asked: Asked, init?: ChangeInit): Promise<BulkUndoResult> {
  let result: BulkUndoResult | null = null;
  let cursor: string | null = null;
  for (let call = 0; call < MOST_CALLS; call++) {
    const headers = init && {
      ...init.headers,
      "Idempotency-Key": `${init.headers["Idempotency-Key"]}-${call}`,
    };
    const part: BulkUndoResult = await gk.post("/api/v1/actions/undo", {
      body: { ...asked, ...(cursor && { cursor }) },
      ...(headers && { headers }),
    });
    result = result ? added(result, part) : part;
    cursor = part.Next;
    if (!cursor) break;
  }
  if (!result) throw new Error(text.everything.nothing);
  return result;
}

function added(sum: BulkUndoResult, part: BulkUndoResult): BulkUndoResult {
  const kinds = new Map(sum.Kinds.map((kind) => [kind.Kind, kind]));
  for (const kind of part.Kinds) {
    const before = kinds.get(kind.Kind);
    kinds.set(
      kind.Kind,
      before
        ? {
            ...before,
            Undone: before.Undone + kind.Undone,
            Partly: before.Partly + kind.Partly,
            AlreadyUndone: before.AlreadyUndone + kind.AlreadyUndone,
            Covered: before.Covered + kind.Covered,
            Left: before.Left + kind.Left,
          }
        : kind,
    );
  }
  return { ...part, Kinds: [...kinds.values()], Left: [...sum.Left, ...part.Left] };
}
