import type { Appeal } from "@gamekeeper/client";
import { Alert, Button, Group, SegmentedControl, Stack, Text, Textarea } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { gk } from "~/api";
import { carryOut } from "~/change";
import { Card } from "~/parts/Card";
import { useMay, useMe } from "~/session";
import { toastDone } from "~/toasts";
import { text } from "./text";

/** Keep or lift, with the answer that the player reads. */
export function DecideForm({ appeal }: { appeal: Appeal }) {
  const mayDecide = useMay("sanctions.manage");
  const isOwn = useMe().UserId === appeal.Sanction.UserId;
  if (!mayDecide || isOwn) {
    return (
      <Card title={text.appeals.decide}>
        <Text c="dimmed">{isOwn ? text.appeals.own : text.appeals.mayNot}</Text>
      </Card>
    );
  }
  return (
    <Card title={text.appeals.decide}>
      <Fields appeal={appeal} />
    </Card>
  );
}

function Fields({ appeal }: { appeal: Appeal }) {
  const navigate = useNavigate();
  const [lift, setLift] = useState<boolean | null>(null);
  const [answer, setAnswer] = useState("");
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (lift === null) return;
    setBusy(true);
    setRefusal(null);
    const body = { lift, answer: answer.trim(), ...(reason.trim() && { reason: reason.trim() }) };
    const params = { path: { id: appeal.Id } };
    try {
      await carryOut((init) => gk.post("/api/v1/appeals/{id}/decide", { params, body, ...init }));
      toastDone(lift ? text.appeals.decidedLifted : text.appeals.decidedKept);
      await navigate({ to: "/moderation", search: { tab: "appeals" } });
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        {appeal.ImposedByYou && <Alert color="yellow">{text.appeals.yours}</Alert>}
        <SegmentedControl
          aria-label={text.appeals.decision}
          fullWidth
          value={lift === null ? "" : lift ? "lift" : "keep"}
          onChange={(value) => setLift(value === "lift")}
          data={[
            { value: "keep", label: text.appeals.keep },
            { value: "lift", label: text.appeals.lift },
          ]}
        />
        <Textarea
          label={text.appeals.answer}
          description={text.appeals.answerHint}
          required
          maxLength={2000}
          autosize
          minRows={3}
          value={answer}
          onChange={(event) => setAnswer(event.currentTarget.value)}
        />
        <Textarea
          label={text.appeals.reason}
          description={text.appeals.reasonHint}
          maxLength={500}
          autosize
          minRows={1}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {refusal && (
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={busy} disabled={lift === null || !answer.trim()}>
            {lift === null
              ? text.appeals.decide
              : lift
                ? text.appeals.submitLift
                : text.appeals.submitKeep}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
