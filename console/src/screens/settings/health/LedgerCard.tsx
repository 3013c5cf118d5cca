import type { LedgerVerification } from "@gamekeeper/client";
import { Button, Progress, SimpleGrid, Table, Text, TextInput } from "@mantine/core";
import { IconListCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { get, gk, queries } from "~/api";
import { withSecondFactor } from "~/change";
import { config } from "~/config";
import { duration, grouped } from "~/format";
import { Card } from "~/parts/Card";
import { Fact } from "~/parts/sanctions/SanctionFacts";
import { Answered } from "~/parts/states";
import { When } from "~/parts/When";
import { toastFailed } from "~/toasts";
import { Notice } from "./Notice";
import { text } from "./text";

const words = text.ledger;
const VERIFICATION = get("/api/v1/ledger/verification");

/** Milliseconds between two looks at a verification that is not over. */
const LOOK_AGAIN = 2_000;

/** Milliseconds after which a verification that no worker takes needs an explanation. */
const WORKER_LATE = 6_000;

function isOpen(found: LedgerVerification | undefined): boolean {
  return found?.State === "waiting" || found?.State === "running";
}

/** The last verification of the ledger, and the button that starts another. */
export function LedgerCard() {
  const found = useQuery({
    ...VERIFICATION,
    refetchInterval: (query) => (isOpen(query.state.data) ? LOOK_AGAIN : false),
  });
  return (
    <Card title={words.title} hint={words.hint}>
      <Answered query={found}>
        {(data) => (
          <>
            <Outcome found={data} />
            <Facts found={data} />
            <Start found={data} />
          </>
        )}
      </Answered>
    </Card>
  );
}

/** The state in words; it is announced when it changes. */
function Outcome({ found }: { found: LedgerVerification }) {
  const isLate = useIsLate(found);
  const hints: Partial<Record<LedgerVerification["State"], string>> = {
    faults: words.faultsHint,
    interrupted: words.interruptedHint,
    ...(isLate && { waiting: words.waitingHint }),
  };
  const hint = hints[found.State];
  return (
    <div role="status">
      {hint ? (
        <Notice title={words.states[found.State]} hint={hint} isFault={found.State === "faults"} />
      ) : (
        <Text fw={600}>{words.states[found.State]}</Text>
      )}
      {found.State === "running" && <Running found={found} />}
    </div>
  );
}

/** Whether it waits for a worker for so long that there may be none. */
function useIsLate({ Id, State }: LedgerVerification): boolean {
  const [late, setLate] = useState<string | null>(null);
  useEffect(() => {
    if (State !== "waiting") return;
    const timer = setTimeout(() => setLate(Id), WORKER_LATE);
    return () => clearTimeout(timer);
  }, [Id, State]);
  return State === "waiting" && late === Id;
}

function Running({ found: { Done, Total } }: { found: LedgerVerification }) {
  return (
    <>
      <Progress
        mt="xs"
        aria-label={words.progress}
        value={Total > 0 ? (100 * Done) / Total : 0}
        animated
      />
      {Total > 0 && (
        <Text size="sm" c="dimmed" mt={4}>
          {words.postings(Done, Total)}
        </Text>
      )}
    </>
  );
}

function Facts({ found }: { found: LedgerVerification }) {
  const { State, RequestedAt, RequestedByName, BegunAt, EndedAt, Total, Faults } = found;
  if (!RequestedAt) return null;
  const isDone = State === "clean" || State === "faults";
  return (
    <>
      <SimpleGrid cols={2}>
        <Fact label={words.started}>
          <When at={RequestedAt} />
        </Fact>
        <Fact label={words.startedBy}>
          <Text style={{ overflowWrap: "anywhere" }}>{RequestedByName}</Text>
        </Fact>
        {EndedAt && (
          <Fact label={words.ended}>
            <When at={EndedAt} />
          </Fact>
        )}
        {isDone && BegunAt && EndedAt && (
          <Fact label={words.scope}>
            <Text>
              {words.verified(Total)}, {duration(between(BegunAt, EndedAt))}
            </Text>
          </Fact>
        )}
      </SimpleGrid>
      {Faults.length > 0 && <FaultTable faults={Faults} />}
    </>
  );
}

/** Seconds, at least one: nobody verifies in none. */
function between(begun: string, ended: string): number {
  return Math.max(1, (Date.parse(ended) - Date.parse(begun)) / 1000);
}

function FaultTable({ faults }: { faults: LedgerVerification["Faults"] }) {
  return (
    <Table aria-label={words.laws}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{words.law}</Table.Th>
          <Table.Th ta="right">{words.count}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {faults.map(({ Law, Count, Truncated }) => (
          <Table.Tr key={Law}>
            <Table.Td>{Law}</Table.Td>
            <Table.Td ta="right">{Truncated ? words.more(Count) : grouped(Count)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Start({ found }: { found: LedgerVerification }) {
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  const isRequired = config.requiredReasons.includes("staff.manage");

  async function start() {
    setBusy(true);
    const headers = {
      "Idempotency-Key": crypto.randomUUID(),
      ...(reason.trim() && { "X-Reason": reason.trim() }),
    };
    try {
      const begun = await withSecondFactor(() =>
        gk.post("/api/v1/ledger/verification", { headers }),
      );
      queries.setQueryData(VERIFICATION.queryKey, begun);
    } catch (error) {
      toastFailed(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      {isRequired && (
        <TextInput
          label={words.reason}
          description={words.reasonHint}
          value={reason}
          required
          maxLength={500}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      <div>
        <Button
          leftSection={<IconListCheck size={16} />}
          loading={busy}
          disabled={isOpen(found) || (isRequired && !reason.trim())}
          onClick={() => void start()}
        >
          {found.State === "never" ? words.verify : words.again}
        </Button>
      </div>
    </>
  );
}
