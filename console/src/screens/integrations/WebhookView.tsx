import type { Webhook } from "@gamekeeper/client";
import { Alert, Button, Group, Menu, Paper, Stack, Switch, Text, Title } from "@mantine/core";
import {
  IconAlertTriangle,
  IconArrowLeft,
  IconDots,
  IconHistory,
  IconKey,
  IconPencil,
  IconSend,
  IconTrash,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { get, gk } from "~/api";
import { carryOut } from "~/change";
import { kindLabel } from "~/parts/actions/kinds";
import { CopyId } from "~/parts/CopyId";
import { Answered } from "~/parts/states";
import { When } from "~/parts/When";
import { toastDone, toastFailed } from "~/toasts";
import { Deliveries } from "./Deliveries";
import { text } from "./text";
import { WebhookSheet } from "./WebhookSheet";
import { HookState, kindsInWords } from "./webhook";
import { RemoveSheet, RenewSheet, ReplaySheet } from "./webhookSheets";

/** The reason of somebody who switched it off, which is no trouble. */
const BY_HAND = "switched off";

type Open = "edit" | "secret" | "remove" | "replay" | null;

/** One webhook: its state, what can be done with it, and what was sent. */
export function WebhookView({ id }: { id: string }) {
  const hook = useQuery(get("/api/v1/webhooks/{id}", { params: { path: { id } } }));
  return (
    <Stack>
      <Group>
        <Button
          renderRoot={(props) => (
            <Link to="/integrations" search={{ tab: "webhooks" }} {...props} />
          )}
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconArrowLeft size={16} />}
        >
          {text.hooks.back}
        </Button>
      </Group>
      <Answered query={hook}>
        {(found) => (
          <>
            <Head hook={found} />
            <Deliveries hook={found} />
          </>
        )}
      </Answered>
    </Stack>
  );
}

function Head({ hook }: { hook: Webhook }) {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  return (
    <Paper withBorder p="lg" component="section" aria-label={hook.Url}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <Group gap="xs">
            <Title order={2} style={{ overflowWrap: "anywhere" }}>
              {hook.Url}
            </Title>
            <CopyId id={hook.Id} />
            <HookState hook={hook} />
          </Group>
          <Group gap="xs">
            <TestButton hook={hook} />
            <Button
              variant="default"
              leftSection={<IconPencil size={16} />}
              onClick={() => setOpen("edit")}
            >
              {text.hooks.edit}
            </Button>
            <More onOpen={setOpen} />
          </Group>
        </Group>
        <Facts hook={hook} />
        <Trouble hook={hook} />
        <Switch
          label={text.hooks.enabled}
          checked={hook.Enabled}
          onChange={(event) => void turn(hook, event.currentTarget.checked)}
        />
      </Stack>
      {open === "edit" && <WebhookSheet hook={hook} onClose={close} />}
      <RenewSheet hook={hook} opened={open === "secret"} onClose={close} />
      {open === "remove" && <RemoveSheet hook={hook} onClose={close} />}
      {open === "replay" && <ReplaySheet hook={hook} onClose={close} />}
    </Paper>
  );
}

function Facts({ hook }: { hook: Webhook }) {
  return (
    <Text size="sm" c="dimmed">
      {text.hooks.kinds}: {hook.Kinds?.map(kindLabel).join(", ") ?? kindsInWords(null)} ·{" "}
      {text.hooks.owner}: {hook.OwnerName ?? text.hooks.nobody} · {text.hooks.made}{" "}
      <When at={hook.CreatedAt} span />
      {hook.OldSecretUntil && (
        <>
          {" "}
          · {text.hooks.oldSecret} <When at={hook.OldSecretUntil} span />
        </>
      )}
    </Text>
  );
}

/** Why nothing arrives, and when it is tried again. */
function Trouble({ hook }: { hook: Webhook }) {
  const why = hook.OffReason === BY_HAND ? null : hook.OffReason;
  if (!why && !hook.FailingSince) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle />}>
      {why && <Text size="sm">{text.hooks.offBecause(text.hooks.offReasons[why] ?? why)}</Text>}
      {hook.FailingSince && (
        <Text size="sm">
          {text.hooks.failingSince} <When at={hook.FailingSince} span />{" "}
          {hook.RetryAt && hook.Enabled && (
            <>
              {text.hooks.retryAt} <When at={hook.RetryAt} span />
            </>
          )}
        </Text>
      )}
    </Alert>
  );
}

function More({ onOpen }: { onOpen: (open: Open) => void }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" px="xs" aria-label={text.hooks.more}>
          <IconDots size={16} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconHistory size={16} />} onClick={() => onOpen("replay")}>
          {text.hooks.replaySpan}
        </Menu.Item>
        <Menu.Item leftSection={<IconKey size={16} />} onClick={() => onOpen("secret")}>
          {text.hooks.secret}
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => onOpen("remove")}>
          {text.hooks.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function TestButton({ hook }: { hook: Webhook }) {
  const [busy, setBusy] = useState(false);
  const params = { path: { id: hook.Id } };
  async function test() {
    setBusy(true);
    try {
      await carryOut((init) => gk.post("/api/v1/webhooks/{id}/test", { params, ...init }));
      toastDone(text.hooks.tested);
    } catch (error) {
      toastFailed(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button leftSection={<IconSend size={16} />} loading={busy} onClick={() => void test()}>
      {text.hooks.test}
    </Button>
  );
}

async function turn(hook: Webhook, enabled: boolean) {
  const set = (to: boolean) =>
    carryOut((init) =>
      gk.patch("/api/v1/webhooks/{id}", {
        params: { path: { id: hook.Id } },
        body: { enabled: to },
        ...init,
      }),
    );
  try {
    await set(enabled);
    toastDone(enabled ? text.hooks.switchedOn : text.hooks.switchedOff, {
      label: text.hooks.backLabel,
      act: () => set(!enabled),
      done: text.hooks.undone,
      failed: text.hooks.notUndone,
    });
  } catch (error) {
    toastFailed(error);
  }
}
