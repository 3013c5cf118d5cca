import type { SegmentList } from "@gamekeeper/client";
import { Button, FileButton, Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { IconFile } from "@tabler/icons-react";
import { useState } from "react";
import { get, gk, queries } from "~/api";
import type { ChangeInit } from "~/change";
import { eachOf } from "~/each";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { countTooLong, MAX_NAMES, namesIn, partsOf } from "./names";
import { NAME } from "./saved";
import { text } from "./text";
import { UnmatchedNames } from "./UnmatchedNames";

/** Upload names, typed or from a file; then how many matched, and which did not. */
export function UploadSheet({ name: list, onClose }: { name: string; onClose: () => void }) {
  const [name, setName] = useState(list);
  const [typed, setTyped] = useState("");
  const [sent, setSent] = useState(0);
  const names = namesIn(typed);
  const tooLong = countTooLong(names);
  const problem =
    tooLong > 0 ? text.lists.tooLong(tooLong) : names.length > MAX_NAMES && text.lists.tooMany;

  async function upload(reason: string, init: ChangeInit): Promise<SegmentList> {
    setSent(0);
    await eachOf(partsOf(names), init, async (part, one) => {
      await gk.post("/api/v1/segment-lists/{name}/names", {
        params: { path: { name } },
        body: { names: part, ...(reason && { reason }) },
        ...one,
      });
      setSent((before) => before + part.length);
    });
    return queries.fetchQuery({
      ...get("/api/v1/segment-lists/{name}", { params: { path: { name } } }),
      staleTime: 0,
    });
  }

  return (
    <ChangeSheet
      permission="segments.manage"
      opened
      onClose={onClose}
      title={list ? text.lists.addTo(list) : text.lists.uploadTitle}
      whom={text.lists.whom}
      subject={{}}
      preview={
        names.length === 0 ? null : (
          <Text size="sm" role="status">
            {sent > 0 ? text.lists.progress(sent, names.length) : text.lists.count(names.length)}
          </Text>
        )
      }
      ready={NAME.test(name) && names.length > 0 && !problem}
      submitLabel={text.lists.submit}
      done={text.lists.done(name)}
      undoable={false}
      submit={upload}
      outcome={(found) => <Uploaded list={found} />}
    >
      {!list && (
        <TextInput
          label={text.lists.name}
          description={text.lists.nameHint}
          value={name}
          required
          maxLength={40}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value.toLowerCase())}
        />
      )}
      <Textarea
        label={text.lists.names}
        description={text.lists.namesHint}
        value={typed}
        required
        rows={6}
        error={problem}
        spellCheck={false}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Group>
        <FileButton
          accept="text/plain,text/csv,.txt,.csv"
          onChange={(file) => void file?.text().then(setTyped)}
        >
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconFile size={16} />}>
              {text.lists.file}
            </Button>
          )}
        </FileButton>
      </Group>
    </ChangeSheet>
  );
}

/** What became of it: it stays until the sheet is closed. */
function Uploaded({ list }: { list: SegmentList }) {
  return (
    <Stack gap="sm">
      <div role="status">
        <Text fw={600}>{text.lists.done(list.Name)}</Text>
        <Text>{text.lists.matched(list.Matched)}</Text>
        {list.Unmatched > 0 && <Text>{text.lists.unmatched(list.Unmatched)}</Text>}
      </div>
      {list.Unmatched > 0 && <UnmatchedNames list={list.Name} />}
    </Stack>
  );
}
