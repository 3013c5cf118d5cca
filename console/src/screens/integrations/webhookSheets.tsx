import type { Webhook } from "@gamekeeper/client";
import { Group, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { gk } from "~/api";
import { exact } from "~/format";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { useTimeZone } from "~/preferences";
import { OnceSecret } from "./OnceSecret";
import { text } from "./text";

interface SheetProps {
  hook: Webhook;
  onClose: () => void;
}

/** A new secret; it is shown when the sheet is closed already. */
export function RenewSheet({ hook, opened, onClose }: SheetProps & { opened: boolean }) {
  const [secret, setSecret] = useState<string | null | undefined>();
  const { renewRow: label, renewBefore: before, renewAfter: after } = text.hooks;
  return (
    <>
      {opened && (
        <ChangeSheet
          permission="webhooks"
          opened
          onClose={onClose}
          title={text.hooks.renewTitle}
          whom={text.hooks.renewWhom}
          subject={{}}
          preview={<BeforeAfter changes={[{ key: "secret", label, before, after }]} />}
          ready
          submitLabel={text.hooks.renewNow}
          done={text.hooks.renewed}
          undoable={false}
          submit={async (reason, init) => {
            const made = await gk.post("/api/v1/webhooks/{id}/secret", {
              params: { path: { id: hook.Id } },
              ...init,
              headers: { ...init.headers, ...(reason && { "X-Reason": reason }) },
            });
            setSecret(made.Secret);
          }}
        />
      )}
      {secret !== undefined && (
        <OnceSecret
          title={text.hooks.secretTitle}
          secret={secret}
          onClose={() => setSecret(undefined)}
        >
          <Text size="sm">{text.hooks.secretHint}</Text>
        </OnceSecret>
      )}
    </>
  );
}

export function RemoveSheet({ hook, onClose }: SheetProps) {
  const navigate = useNavigate();
  return (
    <ChangeSheet
      permission="webhooks"
      opened
      onClose={onClose}
      title={text.hooks.removeTitle}
      whom={text.hooks.removeWhom}
      subject={{}}
      preview={
        <BeforeAfter
          changes={[{ key: hook.Id, label: hook.Url, before: text.hooks.states.on, after: null }]}
        />
      }
      ready
      submitLabel={text.hooks.removeNow}
      done={text.hooks.removed}
      undoable={false}
      submit={async (reason, init) => {
        await gk.delete("/api/v1/webhooks/{id}", {
          params: { path: { id: hook.Id } },
          ...init,
          headers: { ...init.headers, ...(reason && { "X-Reason": reason }) },
        });
        void navigate({ to: "/integrations", search: { tab: "webhooks" } });
      }}
    />
  );
}

const HOUR = 3_600_000;

/** What a field of date and time holds: local time, to the minute. */
function typed(at: Date): string {
  return exact(at, "local").slice(0, 16).replace(" ", "T");
}

export function ReplaySheet({ hook, onClose }: SheetProps) {
  const [zone] = useTimeZone();
  const [from, setFrom] = useState(() => typed(new Date(Date.now() - HOUR)));
  const [to, setTo] = useState(() => typed(new Date()));
  const span = [new Date(from), new Date(to)] as const;
  const ready = span.every((at) => !Number.isNaN(at.getTime())) && span[0] < span[1];
  return (
    <ChangeSheet
      permission="webhooks"
      opened
      onClose={onClose}
      title={text.hooks.replayTitle}
      whom={text.hooks.replayWhom}
      subject={{}}
      preview={
        ready && (
          <Text size="sm">
            {text.hooks.replayRow}: {exact(span[0], zone)} – {exact(span[1], zone)}
          </Text>
        )
      }
      ready={ready}
      submitLabel={text.hooks.replayNow}
      done={text.hooks.replayed}
      undoable={false}
      submit={(reason, init) =>
        gk.post("/api/v1/webhooks/{id}/replay", {
          params: { path: { id: hook.Id } },
          body: {
            from: span[0].toISOString(),
            to: span[1].toISOString(),
            ...(reason && { reason }),
          },
          ...init,
        })
      }
    >
      <Group grow>
        <TextInput
          type="datetime-local"
          label={text.hooks.from}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label={text.hooks.to}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      </Group>
    </ChangeSheet>
  );
}
