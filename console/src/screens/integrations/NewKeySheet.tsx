import type { CreatedKey } from "@gamekeeper/client";
import { Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { gk } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { LimitFields } from "~/parts/rights/LimitFields";
import { limitsBody, limitsInWords, NO_LIMITS } from "~/parts/rights/limits";
import { ScopePicker } from "~/parts/rights/ScopePicker";
import { summary } from "~/parts/rights/scopes";
import { text } from "./text";

interface NewKeySheetProps {
  onClose: () => void;
  onCreated: (key: CreatedKey) => void;
}

/** Make a key: for what, what it may do, how much, for how long. */
export function NewKeySheet({ onClose, onCreated }: NewKeySheetProps) {
  const [name, setName] = useState("");
  const [days, setDays] = useState("365");
  const [scopes, setScopes] = useState<string[]>([]);
  const [limits, setLimits] = useState(NO_LIMITS);
  const ready = name.trim() !== "" && scopes.length > 0;
  const note = [summary(scopes, 4), ...limitsInWords(limits)].join("; ");
  return (
    <ChangeSheet
      permission="keys.manage"
      opened
      onClose={onClose}
      title={text.keys.newTitle}
      whom={text.keys.newWhom}
      subject={{}}
      preview={
        ready ? (
          <BeforeAfter
            changes={[{ key: "key", label: name, note, before: null, after: text.keys.newKey }]}
          />
        ) : null
      }
      ready={ready}
      submitLabel={text.keys.create}
      done={text.keys.created(name)}
      undoable={false}
      submit={async (reason, init) => {
        const body = {
          name: name.trim(),
          scopes,
          ...(days && { days: Number(days) }),
          ...limitsBody(limits),
          ...(reason && { reason }),
        };
        onCreated(await gk.post("/api/v1/keys", { body, ...init }));
      }}
    >
      <TextInput
        label={text.keys.nameLabel}
        placeholder={text.keys.namePlaceholder}
        value={name}
        required
        maxLength={64}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label={text.keys.expiry}
        data={Object.entries(text.keys.expiries).map(([value, label]) => ({ value, label }))}
        value={days}
        allowDeselect={false}
        onChange={(next) => setDays(next ?? "")}
      />
      <ScopePicker value={scopes} onChange={setScopes} />
      <LimitFields value={limits} onChange={setLimits} />
    </ChangeSheet>
  );
}
