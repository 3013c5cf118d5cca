import type { CodeBatch } from "@gamekeeper/client";
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconSearch } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { gk } from "~/api";
import { grouped } from "~/format";
import { usePolling } from "~/live";
import { type Column, DataTable } from "~/parts/DataTable";
import { MayButton } from "~/parts/MayButton";
import { ShowMore, usePages } from "~/parts/pages";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { useTyping } from "~/typing";
import { BatchState } from "./BatchState";
import { mostOf } from "./batch";
import { LookUpSheet } from "./LookUpSheet";
import { NewBatchSheet } from "./NewBatchSheet";
import { useRefusals } from "./refusals";
import { text } from "./text";

const LIMIT = 20;

const COLUMNS: Column<CodeBatch>[] = [
  {
    key: "name",
    title: text.columns.name,
    cell: (one) => (
      <Text span inherit fw={600}>
        {one.Name}
      </Text>
    ),
  },
  { key: "campaign", title: text.columns.campaign, secondary: true, cell: (one) => one.Campaign },
  { key: "prefix", title: text.columns.prefix, secondary: true, cell: (one) => one.Prefix },
  {
    key: "codes",
    title: text.columns.codes,
    numeric: true,
    secondary: true,
    cell: (one) => grouped(one.Codes),
  },
  {
    key: "uses",
    title: text.columns.uses,
    numeric: true,
    secondary: true,
    cell: (one) => grouped(one.Uses),
  },
  {
    key: "redeemed",
    title: text.columns.redeemed,
    numeric: true,
    cell: (one) => text.page.ofMost(one.Redeemed, mostOf(one)),
  },
  {
    key: "expires",
    title: text.columns.expires,
    secondary: true,
    cell: (one) => (one.ExpiresAt ? <When at={one.ExpiresAt} /> : text.never),
  },
  { key: "state", title: text.columns.state, cell: (one) => <State of={one} /> },
];

/** Batches of redeem codes, newest first, and the search for one code. */
export function CodesTab() {
  const { new: isNew, campaign } = useSearch({ from: "/live-ops" });
  const navigate = useNavigate();
  const batches = useBatches(campaign);
  const [isLookingUp, setIsLookingUp] = useState(false);
  const refusal = useRefusals().create;
  const make = (
    <MayButton
      leftSection={<IconPlus size={16} />}
      refusal={refusal}
      onClick={() => void navigate({ to: "/live-ops", search: { tab: "codes", new: true } })}
    >
      {text.make}
    </MayButton>
  );
  const isEmpty = batches.data?.length === 0 && !campaign;
  return (
    <Stack>
      {!isEmpty && (
        <Group justify="space-between">
          <CampaignFilter campaign={campaign} />
          <Group>
            <Button
              variant="default"
              leftSection={<IconSearch size={16} />}
              onClick={() => setIsLookingUp(true)}
            >
              {text.lookUp}
            </Button>
            {make}
          </Group>
        </Group>
      )}
      <Answered query={batches}>
        {(rows) => {
          if (isEmpty) return <Empty title={text.none} hint={text.noneHint} action={make} />;
          if (rows.length === 0) return <Empty title={text.noMatch} hint={text.noMatchHint} />;
          return (
            <DataTable
              label={text.label}
              columns={COLUMNS}
              rows={rows}
              rowKey={(one) => one.Id}
              onOpen={({ Id }) => void navigate({ to: "/codes/$batch", params: { batch: Id } })}
            />
          );
        }}
      </Answered>
      <ShowMore of={batches} />
      {isLookingUp && <LookUpSheet onClose={() => setIsLookingUp(false)} />}
      {isNew && refusal === null && <NewBatchSheet />}
    </Stack>
  );
}

/** Only the batches of one campaign, by its whole name. */
function CampaignFilter({ campaign }: { campaign: string | undefined }) {
  const navigate = useNavigate();
  const type = useTyping((typed) => {
    const wanted = typed.trim().toLowerCase();
    const search = { tab: "codes" as const, ...(wanted && { campaign: wanted }) };
    void navigate({ to: "/live-ops", search, replace: true });
  }, 300);
  return (
    <TextInput
      aria-label={text.filter}
      placeholder={text.columns.campaign}
      leftSection={<IconSearch size={16} />}
      defaultValue={campaign ?? ""}
      maxLength={64}
      w={{ base: "100%", xs: 220 }}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

function useBatches(campaign: string | undefined) {
  const polling = usePolling();
  return usePages({
    key: ["/api/v1/codes/batches", { campaign }],
    read: (after, signal) =>
      gk.get("/api/v1/codes/batches", {
        params: { query: { limit: LIMIT, ...(campaign && { campaign }), ...after } },
        signal,
      }),
    every: () => polling,
  });
}

/** The status; on a phone also until when, which has a column of its own elsewhere. */
function State({ of }: { of: CodeBatch }) {
  return (
    <>
      <BatchState batch={of} />
      {of.ExpiresAt && (
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {text.until} <When at={of.ExpiresAt} span />
        </Text>
      )}
    </>
  );
}
