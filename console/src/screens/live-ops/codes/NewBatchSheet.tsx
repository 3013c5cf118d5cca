import { Group, NumberInput, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { gk } from "~/api";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { DateTimeField } from "~/parts/DateTimeField";
import { Sum } from "../campaigns/Sum";
import { LetterFields } from "../campaigns/WorkFields";
import { type BatchDraft, batchOf, EMPTY_BATCH, MAX_CODES, MAX_USES, wrongIn } from "./batch";
import { text } from "./text";

const words = text.form;

/** A new batch of codes: how many, for how many accounts, and the letter that each gives. */
export function NewBatchSheet() {
  const [draft, setDraft] = useState<BatchDraft>(EMPTY_BATCH);
  const set = (parts: Partial<BatchDraft>) => setDraft((before) => ({ ...before, ...parts }));
  const created = useRef<string>(undefined);
  const navigate = useNavigate();
  const body = batchOf(draft);
  const wrong = wrongIn(draft);

  function close() {
    if (created.current) void navigate({ to: "/codes/$batch", params: { batch: created.current } });
    else void navigate({ to: "/live-ops", search: { tab: "codes" } });
  }

  return (
    <ChangeSheet
      permission="codes.manage"
      opened
      onClose={close}
      title={words.title}
      whom={words.whom}
      subject={{}}
      preview={body && <Most body={body} />}
      ready={body !== null}
      submitLabel={words.submit}
      done={words.done(draft.name.trim())}
      undoable={false}
      submit={async (reason, init) => {
        if (!body) return;
        const batch = await gk.post("/api/v1/codes/batches", {
          body: { ...body, ...(reason && { reason }) },
          ...init,
        });
        created.current = batch.Id;
      }}
    >
      <TextInput
        label={words.name}
        description={words.nameHint}
        required
        maxLength={80}
        data-autofocus
        value={draft.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <TextInput
        label={words.campaign}
        description={words.campaignHint}
        required
        maxLength={64}
        error={wrong.campaign && words.campaignWrong}
        value={draft.campaign}
        onChange={(event) => set({ campaign: event.currentTarget.value.toLowerCase() })}
      />
      <Group grow align="flex-start">
        <Count
          label={words.codes}
          most={MAX_CODES}
          value={draft.codes}
          onChange={(codes) => set({ codes })}
        />
        <Count
          label={words.uses}
          description={words.usesHint}
          most={MAX_USES}
          value={draft.uses}
          onChange={(uses) => set({ uses })}
        />
      </Group>
      <TextInput
        label={words.prefix}
        description={words.prefixHint}
        maxLength={12}
        error={wrong.prefix && words.prefixWrong}
        value={draft.prefix}
        onChange={(event) => set({ prefix: event.currentTarget.value.toUpperCase() })}
      />
      <LetterFields draft={draft} onChange={set} words={words.letter} />
      <DateTimeField
        label={words.starts}
        value={draft.startsAt}
        onChange={(startsAt) => set({ startsAt })}
      />
      <DateTimeField
        label={words.ends}
        description={words.datesHint}
        error={wrong.endsAt && words.endsWrong}
        value={draft.endsAt}
        onChange={(endsAt) => set({ endsAt })}
      />
    </ChangeSheet>
  );
}

interface CountProps {
  label: string;
  description?: string;
  most: number;
  value: number | string;
  onChange: (value: number | string) => void;
}

function Count({ most, ...field }: CountProps) {
  return (
    <NumberInput
      required
      min={1}
      max={most}
      allowDecimal={false}
      thousandSeparator=","
      {...field}
    />
  );
}

/** What all codes together can create. */
function Most({ body }: { body: NonNullable<ReturnType<typeof batchOf>> }) {
  const most = body.codes * (body.uses ?? 1);
  return (
    <>
      <Text size="sm">{words.redemptions(most)}</Text>
      {body.items?.map(({ itemid, quantity }) => (
        <Sum key={itemid} item={itemid} change={(quantity ?? 1) * most} note={words.atMost} />
      ))}
    </>
  );
}
