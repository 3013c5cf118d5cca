import type { Webhook, WebhookWithSecret } from "@gamekeeper/client";
import { MultiSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { gk } from "~/api";
import { GROUPS, KINDS } from "~/parts/actions/kinds.generated";
import { text as actions } from "~/parts/actions/text";
import { BeforeAfter, type Change } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { text } from "./text";
import { kindsInWords } from "./webhook";

interface WebhookSheetProps {
  /** The one to change; null: a new one. */
  hook: Webhook | null;
  onClose: () => void;
  onCreated?: (hook: WebhookWithSecret) => void;
}

const CHOICES = GROUPS.map((group) => ({
  group: actions.groups[group],
  items: Object.entries(KINDS)
    .filter(([, facts]) => facts.group === group)
    .map(([value, { label }]) => ({ value, label })),
})).filter(({ items }) => items.length > 0);

/** Make a webhook, or give one another address or other kinds. */
export function WebhookSheet({ hook, onClose, onCreated }: WebhookSheetProps) {
  const [url, setUrl] = useState(hook?.Url ?? "https://");
  const [kinds, setKinds] = useState<string[]>(hook?.Kinds ?? []);
  const changes = changesOf(hook, url, kinds);
  return (
    <ChangeSheet
      permission="webhooks"
      opened
      onClose={onClose}
      title={hook ? text.hooks.editTitle : text.hooks.newTitle}
      whom={hook ? text.hooks.editWhom : text.hooks.newWhom}
      subject={{}}
      preview={changes.length > 0 && <BeforeAfter changes={changes} />}
      ready={changes.length > 0 && /^https?:\/\/.+/.test(url)}
      submitLabel={hook ? text.hooks.save : text.hooks.create}
      done={hook ? text.hooks.changed : text.hooks.created}
      undoable={false}
      wayBack={hook ? wayBack(hook) : undefined}
      submit={async (reason, init) => {
        const why = reason ? { reason } : {};
        if (hook) {
          const body = { url, kinds: kinds.join(",") || "*", ...why };
          await gk.patch("/api/v1/webhooks/{id}", {
            params: { path: { id: hook.Id } },
            body,
            ...init,
          });
        } else {
          const body = { url, ...(kinds.length > 0 && { kinds: kinds.join(",") }), ...why };
          onCreated?.(await gk.post("/api/v1/webhooks", { body, ...init }));
        }
      }}
    >
      <TextInput
        label={text.hooks.urlLabel}
        description={text.hooks.urlHint}
        type="url"
        value={url}
        required
        data-autofocus
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <MultiSelect
        label={text.hooks.kindsLabel}
        description={text.hooks.kindsHint}
        placeholder={kinds.length === 0 ? text.hooks.kindsPlaceholder : ""}
        data={CHOICES}
        value={kinds}
        searchable
        clearable
        onChange={setKinds}
      />
    </ChangeSheet>
  );
}

function changesOf(hook: Webhook | null, url: string, kinds: string[]): Change[] {
  const wanted = kinds.length > 0 ? kinds : null;
  if (!hook) {
    const isAddress = url.length > "https://".length;
    const note = kindsInWords(wanted);
    const change = { key: "new", label: url, note, before: null, after: text.hooks.newOne };
    return isAddress ? [change] : [];
  }
  const before = [...(hook.Kinds ?? [])].sort().join();
  return [
    ...(url === hook.Url
      ? []
      : [{ key: "url", label: text.hooks.address, before: hook.Url, after: url }]),
    ...(before === [...kinds].sort().join()
      ? []
      : [
          {
            key: "kinds",
            label: text.hooks.kinds,
            before: kindsInWords(hook.Kinds),
            after: kindsInWords(wanted),
          },
        ]),
  ];
}

/** The log does not undo it, but what it was is known. */
function wayBack(hook: Webhook) {
  return {
    label: text.hooks.backLabel,
    act: () =>
      gk.patch("/api/v1/webhooks/{id}", {
        params: { path: { id: hook.Id } },
        body: { url: hook.Url, kinds: hook.Kinds?.join(",") ?? "*" },
      }),
    done: text.hooks.undone,
    failed: text.hooks.notUndone,
  };
}
