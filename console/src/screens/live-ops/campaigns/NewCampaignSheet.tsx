import { NumberInput, Select, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { gk } from "~/api";
import { grouped } from "~/format";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { useMay } from "~/session";
import { bodyOf, draftOf } from "../segments/definition";
import { previewOf } from "../segments/usePreview";
import { DeliveryFields } from "./DeliveryFields";
import { AT_START, type DeliveryDraft, deliveryOf } from "./delivery";
import { SegmentSelect, useSegments } from "./SegmentSelect";
import { Sum } from "./Sum";
import { text } from "./text";
import { WorkFields } from "./WorkFields";
import { EMPTY_WORK, itemsOf, KINDS, SCOPES, type WorkDraft, withKind, workOf } from "./work";

const DEFAULT_PER_SECOND = 2_000;

/** A new campaign: the segment, the work and the speed. It waits for its start. */
export function NewCampaignSheet({ segment: first }: { segment: string | undefined }) {
  const [name, setName] = useState("");
  const [segment, setSegment] = useState<string | null>(first ?? null);
  const [draft, setDraft] = useState<WorkDraft>(EMPTY_WORK);
  const [delivery, setDelivery] = useState<DeliveryDraft>(AT_START);
  const [perSecond, setPerSecond] = useState<number | string>(DEFAULT_PER_SECOND);
  const created = useRef<string>(undefined);
  const navigate = useNavigate();
  const mayWork = useMay(SCOPES[draft.kind]);
  const work = workOf(draft);
  const how = deliveryOf(delivery, draft.kind);
  const speed = Number(perSecond);
  const isComplete = name.trim() !== "" && segment !== null && work && how && speed >= 1;
  const preview = usePreviewOf(segment, draft);

  function close() {
    if (created.current) {
      const params = { campaign: created.current };
      void navigate({ to: "/campaigns/$campaign", params, search: {} });
    } else void navigate({ to: "/live-ops", search: { tab: "campaigns" } });
  }

  return (
    <ChangeSheet
      permission="campaigns.manage"
      opened
      onClose={close}
      title={text.form.title}
      whom={text.form.whom}
      subject={{}}
      preview={preview}
      ready={Boolean(isComplete) && mayWork}
      submitLabel={text.form.submit}
      done={text.form.done(name.trim())}
      undoable={false}
      submit={async (reason, init) => {
        if (!segment || !work || !how) return;
        const campaign = await gk.post("/api/v1/campaigns", {
          body: {
            name: name.trim(),
            segment,
            work,
            persecond: speed,
            ...how,
            ...(reason && { reason }),
          },
          ...init,
        });
        created.current = campaign.Id;
      }}
    >
      <TextInput
        label={text.form.name}
        description={text.form.nameHint}
        required
        maxLength={80}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <SegmentSelect value={segment} onChange={setSegment} />
      <Select
        label={text.form.kind}
        data={KINDS.map((kind) => ({ value: kind, label: text.work.kinds[kind] }))}
        value={draft.kind}
        allowDeselect={false}
        error={!mayWork && text.form.mayNotWork(SCOPES[draft.kind])}
        onChange={(chosen) => chosen && setDraft(withKind(draft, chosen))}
      />
      <WorkFields
        draft={draft}
        onChange={(parts) => setDraft((before) => ({ ...before, ...parts }))}
      />
      {draft.kind === "letter" && (
        <DeliveryFields
          draft={delivery}
          onChange={(parts) => setDelivery((before) => ({ ...before, ...parts }))}
        />
      )}
      <NumberInput
        label={text.form.perSecond}
        description={text.form.perSecondHint}
        min={1}
        max={10_000}
        allowDecimal={false}
        thousandSeparator=","
        value={perSecond}
        onChange={setPerSecond}
      />
    </ChangeSheet>
  );
}

/** How many players are meant, and how many pieces that makes. */
function usePreviewOf(name: string | null, draft: WorkDraft) {
  const segments = useSegments().data?.Values;
  const segment = segments?.find((one) => one.Name === name);
  const conditions = segment ? bodyOf(draftOf(segment)) : null;
  const query = { ...previewOf(conditions, false), enabled: conditions !== null };
  const found = useQuery(query).data;
  if (!found) return null;
  const count = found.IsEstimate
    ? `${text.form.about} ${grouped(found.Count)}`
    : grouped(found.Count);
  const hasItems = ["letter", "give", "take"].includes(draft.kind);
  const isTaken = draft.kind === "take";
  const items = hasItems ? (itemsOf(draft) ?? []) : [];
  return (
    <>
      <Text size="sm">
        {text.form.recipients}: {count}
      </Text>
      {items.map(({ itemid, quantity }) => (
        <Sum
          key={itemid}
          item={itemid}
          change={(isTaken ? -quantity : quantity) * found.Count}
          note={isTaken ? text.form.taken : text.form.pieces}
        />
      ))}
    </>
  );
}
