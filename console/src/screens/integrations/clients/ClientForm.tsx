import type { CreatedOpenIdClient, OpenIdClient } from "@gamekeeper/client";
import { Checkbox, Select, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { gk } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { changesOf } from "./changes";
import { bodyOf, type ClientDraft, draftOf, isComplete, KINDS, NEW_CLIENT, SCOPES } from "./draft";
import { text } from "./text";

const words = text.form;

interface ClientFormProps {
  /** The one to change; null: a new one. */
  client: OpenIdClient | null;
  onClose: () => void;
  onCreated?: (client: CreatedOpenIdClient) => void;
}

type SetDraft = (parts: Partial<ClientDraft>) => void;

interface FieldsProps {
  draft: ClientDraft;
  set: SetDraft;
}

/** Register a client, or change one. */
export function ClientForm({ client, onClose, onCreated }: ClientFormProps) {
  const [draft, setDraft] = useState<ClientDraft>(client ? draftOf(client) : NEW_CLIENT);
  const set: SetDraft = (parts) => setDraft((before) => ({ ...before, ...parts }));
  const changes = changesOf(client, draft);
  const name = draft.name.trim();
  return (
    <ChangeSheet
      permission="keys.manage"
      opened
      onClose={onClose}
      title={client ? words.editTitle(client.Name) : words.newTitle}
      whom={client ? words.editWhom : words.newWhom}
      subject={{}}
      preview={changes.length > 0 && isComplete(draft) && <BeforeAfter changes={changes} />}
      ready={changes.length > 0 && isComplete(draft)}
      submitLabel={client ? words.save : words.create}
      done={client ? words.saved(name) : words.created(name)}
      undoable={false}
      submit={async (reason, init) => {
        const body = { ...bodyOf(draft), ...(reason && { reason }) };
        if (client) {
          const params = { path: { client_id: client.Id } };
          await gk.patch("/api/v1/openid-clients/{client_id}", { params, body, ...init });
        } else {
          const kind = {
            public: draft.kind === "launcher",
            discourse: draft.kind === "discourse",
          };
          onCreated?.(
            await gk.post("/api/v1/openid-clients", { body: { ...body, ...kind }, ...init }),
          );
        }
      }}
    >
      {!client && (
        <Select
          label={text.kind}
          description={text.kindHints[draft.kind]}
          data={KINDS.map((value) => ({ value, label: text.kinds[value] }))}
          value={draft.kind}
          allowDeselect={false}
          onChange={(kind) => kind && set({ kind })}
        />
      )}
      <Fields draft={draft} set={set} />
      <Rules draft={draft} set={set} />
    </ChangeSheet>
  );
}

function Fields({ draft, set }: FieldsProps) {
  return (
    <>
      <TextInput
        label={text.name}
        description={words.nameHint}
        placeholder={words.namePlaceholder}
        value={draft.name}
        required
        maxLength={64}
        data-autofocus
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Textarea
        label={text.redirects}
        description={draft.kind === "launcher" ? words.launcherHint : words.redirectsHint}
        value={draft.redirects}
        required
        autosize
        minRows={2}
        maxRows={6}
        onChange={(event) => set({ redirects: event.currentTarget.value })}
      />
      <Checkbox.Group label={text.may} value={draft.scopes} onChange={(scopes) => set({ scopes })}>
        <Stack gap="xs" mt="xs">
          {SCOPES.map((scope) => (
            <Checkbox key={scope} value={scope} label={text.scopes[scope]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Textarea
        label={text.logouts}
        description={words.redirectsHint}
        value={draft.logouts}
        autosize
        minRows={1}
        maxRows={6}
        onChange={(event) => set({ logouts: event.currentTarget.value })}
      />
      <TextInput
        label={text.backchannel}
        description={words.backchannelHint}
        type="url"
        value={draft.backchannel}
        onChange={(event) => set({ backchannel: event.currentTarget.value })}
      />
    </>
  );
}

function Rules({ draft, set }: FieldsProps) {
  return (
    <>
      {draft.kind !== "launcher" && (
        <>
          <Switch
            label={words.asks}
            description={words.asksHint}
            checked={draft.asksConsent}
            onChange={(event) => set({ asksConsent: event.currentTarget.checked })}
          />
          <Switch
            label={words.needsPkce}
            description={words.needsPkceHint}
            checked={draft.requiresPkce}
            onChange={(event) => set({ requiresPkce: event.currentTarget.checked })}
          />
        </>
      )}
      <Switch
        label={words.admits}
        description={words.admitsHint}
        checked={draft.admitsBanned}
        onChange={(event) => set({ admitsBanned: event.currentTarget.checked })}
      />
    </>
  );
}
