import type { Case, ChatLine } from "@gamekeeper/client";
import { Alert, Anchor, Select, Stack, Text } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, gk } from "~/api";
import { config } from "~/config";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { reportedName } from "~/parts/cases/marks";
import { text as cases } from "~/parts/cases/text";
import { ExcerptLines } from "./ExcerptLines";
import { inOrder } from "./order";
import { text } from "./text";

const words = text.addToCase;

interface AddToCaseProps {
  /** The messages; with `around` exactly one. */
  lines: ChatLine[];
  around: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Add messages of the chat log to an open case, as evidence. */
export default function AddToCase({ lines, around, onClose, onDone }: AddToCaseProps) {
  const open = useOpenCases(lines);
  const [chosen, setChosen] = useState<string | null>(null);
  // The case about the author of a message is meant, unless another is chosen.
  const about =
    open.values.find((one) => one.Id === chosen) ?? (chosen === null ? open.likely : undefined);
  const isPrivate = lines.some((line) => line.Channel === "pm");

  return (
    <ChangeSheet
      permission="reports.manage"
      opened
      onClose={onClose}
      title={words.title}
      whom={
        around
          ? words.whomAround(lines[0]?.ServerName ?? text.someServer)
          : words.whom(text.count(lines.length))
      }
      subject={{ user: about?.UserId }}
      undoable={false}
      preview={
        <Stack gap="xs">
          <ExcerptLines lines={inOrder(lines)} />
          {around && <Text size="sm">{words.around}</Text>}
          <Text size="sm" c="dimmed">
            {words.kept}
          </Text>
        </Stack>
      }
      ready={about !== undefined}
      reasonRequired={isPrivate}
      submitLabel={words.submit}
      done={about && <Done about={about} />}
      submit={async (reason, init) => {
        const added = await gk.post("/api/v1/cases/{id}/evidence", {
          params: { path: { id: about?.Id ?? "" } },
          body: { messages: lines.map(({ Id }) => Id), around, ...(reason && { reason }) },
          ...init,
        });
        onDone();
        return added;
      }}
    >
      <Select
        // Inside of the dialog, as is what it belongs to.
        comboboxProps={{ withinPortal: false }}
        label={words.case}
        description={open.isCut ? words.cut : words.caseHint}
        required
        searchable
        nothingFoundMessage={open.values.length > 0 ? words.none : words.noCases}
        data={open.values.map((one) => ({ value: one.Id, label: caseInWords(one) }))}
        value={about?.Id ?? null}
        onChange={(id) => setChosen(id)}
        allowDeselect={false}
      />
      {open.isLoaded && open.values.length === 0 && <Alert color="blue">{words.noCases}</Alert>}
      {isPrivate && (
        <Alert icon={<IconEye />} color="blue">
          {words.private}
        </Alert>
      )}
    </ChangeSheet>
  );
}

/** The open cases with the highest priority, and that of the author of the messages. */
function useOpenCases(lines: ChatLine[]) {
  const author = lines[0]?.UserId ?? "";
  const queue = useQuery(get("/api/v1/cases", { params: { query: { limit: 100 } } }));
  const own = useQuery(
    get("/api/v1/cases", { params: { query: { user: author, state: "open", limit: 1 } } }),
  );
  const [likely] = own.data?.Values ?? [];
  const others = (queue.data?.Values ?? []).filter(({ Id }) => Id !== likely?.Id);
  return {
    likely,
    values: likely ? [likely, ...others] : others,
    isCut: Boolean(queue.data?.Next),
    isLoaded: queue.isSuccess && !own.isLoading,
  };
}

/** "Nyra Voss, harassment, 3 reports" */
function caseInWords(one: Case): string {
  const category = cases.categories[one.Category].toLowerCase();
  return [reportedName(one), category, cases.reports(one.Reports)].join(", ");
}

/** A plain link, because toasts are outside of the router. */
function Done({ about }: { about: Case }) {
  return (
    <>
      {words.done(reportedName(about))}{" "}
      <Anchor href={`${config.root}/console/cases/${about.Id}`}>{words.open}</Anchor>
    </>
  );
}
