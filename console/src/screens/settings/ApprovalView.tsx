import type { Approval } from "@gamekeeper/client";
import { Alert, Badge, Button, Group, Paper, Stack, Text, Textarea, Title } from "@mantine/core";
import { IconArrowLeft, IconCheck, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { get, gk } from "~/api";
import { carryOut } from "~/change";
import { config } from "~/config";
import { ActorLink } from "~/parts/people";
import { Fact } from "~/parts/sanctions/SanctionFacts";
import { Answered } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay, useMe } from "~/session";
import { toastDone, toastFailed } from "~/toasts";
import { ApprovalChange } from "./ApprovalChange";
import { limitName, text } from "./text";

/** One request: who wants what, beyond which limit, and the decision. */
export function ApprovalView({ id }: { id: string }) {
  const approval = useQuery(get("/api/v1/approvals/{id}", { params: { path: { id } } }));
  return (
    <Stack>
      <Group>
        <Button
          renderRoot={(props) => <Link to="/settings" search={{ tab: "approvals" }} {...props} />}
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconArrowLeft size={16} />}
        >
          {text.approvals.back}
        </Button>
      </Group>
      <Answered query={approval}>{(found) => <Request approval={found} />}</Answered>
    </Stack>
  );
}

function Request({ approval }: { approval: Approval }) {
  const { Limit, Allowed, Used, Wanted } = approval.Exceeded;
  return (
    <Paper withBorder p="lg" maw={720}>
      <Stack>
        <Group gap="sm">
          <Title order={2}>{text.approvals.kinds[approval.Kind] ?? approval.Kind}</Title>
          <Badge variant="default">{text.approvals.states[approval.State]}</Badge>
        </Group>
        <Text>
          {text.approvals.by}{" "}
          <ActorLink actor={approval.RequestedBy} name={approval.RequestedByName} />{" "}
          <When at={approval.RequestedAt} span c="dimmed" />
          {approval.State === "pending" && (
            <Text span inherit c="dimmed">
              {" "}
              · {text.approvals.ends} <When at={approval.ExpiresAt} span />
            </Text>
          )}
        </Text>
        <Fact label={text.approvals.preview}>
          <ApprovalChange approval={approval} />
        </Fact>
        <Fact label={text.approvals.exceeded}>
          <Text>
            {limitName(Limit)}: {text.approvals.allowed(Allowed)}, {text.approvals.wanted(Wanted)}
            {Used > 0 && `, ${text.approvals.used(Used)}`}
          </Text>
        </Fact>
        <Fact label={text.approvals.reason}>
          <Text c={approval.Reason ? undefined : "dimmed"}>
            {approval.Reason ?? text.approvals.noReason}
          </Text>
        </Fact>
        {approval.State === "pending" ? (
          <Decide approval={approval} />
        ) : (
          approval.DecidedAt && <Decided approval={approval} at={approval.DecidedAt} />
        )}
      </Stack>
    </Paper>
  );
}

function Decided({ approval, at }: { approval: Approval; at: string }) {
  return (
    <Fact label={text.approvals.states[approval.State]}>
      <Text>
        {text.approvals.decidedBy}{" "}
        <ActorLink actor={approval.DecidedBy ?? ""} name={approval.DecidedByName ?? ""} />{" "}
        <When at={at} span />
        {approval.DecisionReason && `: ${approval.DecisionReason}`}
      </Text>
    </Fact>
  );
}

function Decide({ approval }: { approval: Approval }) {
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  const me = useMe();
  const may = useMay("approvals");
  const reasonRequired = config.requiredReasons.includes("approvals");
  const lacksReason = reasonRequired && !reason.trim();
  if (!may) return <Text c="dimmed">{text.approvals.mayNot}</Text>;
  if (me.Id === approval.RequestedBy) return <Alert color="blue">{text.approvals.own}</Alert>;

  async function decide(decision: "approve" | "reject") {
    setBusy(true);
    try {
      await carryOut((init) =>
        gk.post(`/api/v1/approvals/{id}/${decision}`, {
          params: { path: { id: approval.Id } },
          body: reason.trim() ? { reason: reason.trim() } : {},
          ...init,
        }),
      );
      toastDone(decision === "approve" ? text.approvals.approved : text.approvals.rejectedToast);
    } catch (error) {
      toastFailed(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Textarea
        label={text.approvals.decisionReason}
        description={text.approvals.decisionHint}
        value={reason}
        required={reasonRequired}
        maxLength={500}
        autosize
        minRows={2}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {text.approvals.approveHint}
        </Text>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconX size={16} />}
            disabled={busy || lacksReason}
            onClick={() => void decide("reject")}
          >
            {text.approvals.reject}
          </Button>
          <Button
            leftSection={<IconCheck size={16} />}
            loading={busy}
            disabled={lacksReason}
            onClick={() => void decide("approve")}
          >
            {text.approvals.approve}
          </Button>
        </Group>
      </Group>
    </>
  );
}
