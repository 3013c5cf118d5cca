import type { Segment } from "@gamekeeper/client";
import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { get } from "~/api";
import { MayButton } from "~/parts/MayButton";
import { Page } from "~/parts/Page";
import { Answered, Forbidden } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { Back } from "../Back";
import { Builder } from "./Builder";
import { bodyOf, draftOf, newDraft } from "./definition";
import { PreviewCard } from "./PreviewCard";
import classes from "./segments.module.css";
import { RemoveSheet, RenameSheet, SaveSheet } from "./sheets";
import { text } from "./text";

/** A saved segment: its conditions, and the players that they select now. */
export function SegmentScreen() {
  const { segment: name } = useParams({ from: "/segments/$segment" });
  const mayRead = useMay("segments.read");
  const segment = useQuery({
    ...get("/api/v1/segments/{name}", { params: { path: { name } } }),
    enabled: mayRead,
  });
  if (segment.data) return <Editor key={name} segment={segment.data} />;
  return (
    <Page title={text.page.loading}>
      <Back tab="segments">{text.page.back}</Back>
      {mayRead ? (
        <Answered query={segment}>{() => null}</Answered>
      ) : (
        <Forbidden scope="segments.read" />
      )}
    </Page>
  );
}

/** Conditions that are not saved yet. */
export function NewSegment() {
  const mayRead = useMay("segments.read");
  if (mayRead) return <Editor segment={null} />;
  return (
    <Page title={text.page.newTitle}>
      <Forbidden scope="segments.read" />
    </Page>
  );
}

function Editor({ segment }: { segment: Segment | null }) {
  const [draft, setDraft] = useState(() => (segment ? draftOf(segment) : newDraft()));
  const [open, setOpen] = useState<"save" | "rename" | "remove" | null>(null);
  const navigate = useNavigate();
  const body = bodyOf(draft);
  const saved = segment && bodyOf(draftOf(segment));
  const isChanged = JSON.stringify(body) !== JSON.stringify(saved);
  const close = () => setOpen(null);

  function show(name: string | null) {
    if (name) void navigate({ to: "/segments/$segment", params: { segment: name } });
    else void navigate({ to: "/live-ops", search: { tab: "segments" } });
  }

  return (
    <Page
      title={segment?.Name ?? text.page.newTitle}
      beside={isChanged && segment && <Badge variant="light">{text.page.unsaved}</Badge>}
      action={
        <Actions
          segment={segment}
          canSave={body !== null && isChanged}
          isChanged={isChanged}
          onOpen={setOpen}
        />
      }
      filters={<Facts segment={segment} />}
    >
      <div className={classes.layout}>
        <Builder draft={draft} onChange={setDraft} />
        <Stack className={classes.side}>
          <PreviewCard draft={draft} />
        </Stack>
      </div>
      {open === "save" && (
        <SaveSheet segment={segment} draft={draft} onClose={close} onSaved={show} />
      )}
      {open === "rename" && segment && (
        <RenameSheet segment={segment} onClose={close} onDone={show} />
      )}
      {open === "remove" && segment && (
        <RemoveSheet segment={segment} onClose={close} onDone={show} />
      )}
    </Page>
  );
}

interface ActionsProps {
  segment: Segment | null;
  canSave: boolean;
  isChanged: boolean;
  onOpen: (sheet: "save" | "rename" | "remove") => void;
}

function Actions({ segment, canSave, isChanged, onOpen }: ActionsProps) {
  const refusal = useMay("segments.manage") ? null : text.mayNot;
  const mayCampaign = useMay("campaigns.manage");
  return (
    <Group gap="sm">
      {segment && (
        <>
          <MayButton variant="default" refusal={refusal} onClick={() => onOpen("remove")}>
            {text.page.remove}
          </MayButton>
          <MayButton variant="default" refusal={refusal} onClick={() => onOpen("rename")}>
            {text.page.rename}
          </MayButton>
        </>
      )}
      {segment && mayCampaign && !isChanged && (
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              to="/live-ops"
              search={{ tab: "campaigns", new: true, segment: segment.Name }}
              {...props}
            />
          )}
        >
          {text.page.campaign}
        </Button>
      )}
      <MayButton refusal={refusal} disabled={!canSave} onClick={() => onOpen("save")}>
        {segment ? text.page.save : text.page.saveNew}
      </MayButton>
    </Group>
  );
}

function Facts({ segment }: { segment: Segment | null }) {
  return (
    <Group gap="lg">
      <Back tab="segments">{text.page.back}</Back>
      {segment?.Description && <Text>{segment.Description}</Text>}
      {segment && (
        <Text size="sm" c="dimmed">
          {text.page.changed} <When at={segment.ChangedAt} span /> {text.page.by}{" "}
          {segment.ChangedByName}
        </Text>
      )}
    </Group>
  );
}
