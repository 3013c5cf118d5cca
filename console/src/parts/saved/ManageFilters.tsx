import type { SavedFilter } from "@gamekeeper/client";
import { ActionIcon, Alert, Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconLink, IconTrash } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { gk } from "~/api";
import { carryOut } from "~/change";
import { text as common } from "~/text";
import { toastDone } from "~/toasts";
import { type FilteredList, useCurrentQuery, useHref } from "./filters";
import { text } from "./text";

interface ManageFiltersProps {
  list: FilteredList;
  filters: SavedFilter[];
  onClose: () => void;
}

/** Save the current filters under a name; share or delete those that are saved. */
export default function ManageFilters({ list, filters, onClose }: ManageFiltersProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={text.savedLabel}
      closeButtonProps={{ "aria-label": common.change.close, size: "lg" }}
    >
      <Stack>
        <SaveForm list={list} />
        {filters.map((one) => (
          <FilterLine key={one.Id} filter={one} />
        ))}
      </Stack>
    </Modal>
  );
}

function SaveForm({ list }: { list: FilteredList }) {
  const query = useCurrentQuery();
  const [name, setName] = useState("");
  const { busy, refusal, run } = useRun();

  function save(event: FormEvent) {
    event.preventDefault();
    const body = { list, name: name.trim(), query };
    void run(async () => {
      await carryOut((init) => gk.post("/api/v1/me/filters", { body, ...init }));
      toastDone(text.done(body.name));
      setName("");
    });
  }

  if (!query) return <Text size="sm">{text.unfiltered}</Text>;
  return (
    <form onSubmit={save}>
      <TextInput
        data-autofocus
        label={text.name}
        description={text.nameHint}
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {refusal && (
        <Alert color="red" role="alert" mt="sm">
          {refusal}
        </Alert>
      )}
      <Group justify="flex-end" mt="sm">
        <Button type="submit" loading={busy} disabled={!name.trim()}>
          {text.save}
        </Button>
      </Group>
    </form>
  );
}

function FilterLine({ filter }: { filter: SavedFilter }) {
  const href = useHref();
  const clipboard = useClipboard();
  const { busy, refusal, run } = useRun();
  const params = { path: { id: filter.Id } };

  function copy() {
    clipboard.copy(location.origin + href(filter));
    toastDone(text.copied);
  }

  return (
    <Group justify="space-between" wrap="nowrap">
      <Text truncate>{filter.Name}</Text>
      {refusal && <Text c="red">{refusal}</Text>}
      <Group gap="xs" wrap="nowrap">
        <ActionIcon variant="default" size="lg" aria-label={text.copy(filter.Name)} onClick={copy}>
          <IconLink size={16} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size="lg"
          loading={busy}
          aria-label={text.remove(filter.Name)}
          onClick={() =>
            void run(async () => {
              await carryOut((init) => gk.delete("/api/v1/me/filters/{id}", { params, ...init }));
              toastDone(text.removed(filter.Name));
            })
          }
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
    </Group>
  );
}

/** A call with its state: under way, or why it was refused. */
function useRun() {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  async function run(call: () => Promise<void>) {
    setBusy(true);
    setRefusal(null);
    try {
      await call();
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }
  return { busy, refusal, run };
}
