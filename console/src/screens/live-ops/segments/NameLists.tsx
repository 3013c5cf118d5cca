import type { SegmentList } from "@gamekeeper/client";
import { ActionIcon, Button, Group, Text, Tooltip } from "@mantine/core";
import { IconPlus, IconTrash, IconUpload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, gk } from "~/api";
import { grouped } from "~/format";
import { Card } from "~/parts/Card";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { type Column, DataTable } from "~/parts/DataTable";
import { MayButton } from "~/parts/MayButton";
import { Answered } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { text } from "./text";
import { UnmatchedSheet } from "./UnmatchedNames";
import { UploadSheet } from "./UploadSheet";

type Open = { upload: string } | { remove: SegmentList } | { unmatched: string } | null;

/** The uploaded lists of names: how many matched, and which did not. */
export function NameLists() {
  const [open, setOpen] = useState<Open>(null);
  const lists = useQuery(get("/api/v1/segment-lists"));
  const may = useMay("segments.manage");
  const close = () => setOpen(null);
  return (
    <Card
      title={text.lists.title}
      hint={text.lists.hint}
      beside={
        <MayButton
          variant="default"
          leftSection={<IconUpload size={16} />}
          refusal={may ? null : text.mayNot}
          onClick={() => setOpen({ upload: "" })}
        >
          {text.lists.upload}
        </MayButton>
      }
    >
      <Answered query={lists}>
        {({ Values }) =>
          Values.length === 0 ? (
            <Text c="dimmed">{text.lists.none}</Text>
          ) : (
            <DataTable
              label={text.lists.label}
              columns={columns(may, setOpen)}
              rows={Values}
              rowKey={(one) => one.Name}
            />
          )
        }
      </Answered>
      {open && "upload" in open && <UploadSheet name={open.upload} onClose={close} />}
      {open && "remove" in open && <RemoveListSheet list={open.remove} onClose={close} />}
      {open && "unmatched" in open && <UnmatchedSheet name={open.unmatched} onClose={close} />}
    </Card>
  );
}

function columns(may: boolean, onOpen: (open: Open) => void): Column<SegmentList>[] {
  return [
    { key: "name", title: text.lists.columns.name, cell: (one) => one.Name },
    {
      key: "matched",
      title: text.lists.columns.matched,
      numeric: true,
      // On a phone, the names that did not match and the actions need the room.
      secondary: true,
      cell: (one) => grouped(one.Matched),
    },
    {
      key: "unmatched",
      title: text.lists.columns.unmatched,
      numeric: true,
      cell: (one) =>
        one.Unmatched === 0 ? (
          0
        ) : (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={text.lists.showUnmatched(one.Unmatched, one.Name)}
            onClick={() => onOpen({ unmatched: one.Name })}
          >
            {grouped(one.Unmatched)}
          </Button>
        ),
    },
    {
      key: "changed",
      title: text.lists.columns.changed,
      secondary: true,
      cell: (one) => <When at={one.ChangedAt} />,
    },
    ...(may
      ? [
          {
            key: "actions",
            title: text.lists.columns.actions,
            cell: (one: SegmentList) => <ListActions list={one} onOpen={onOpen} />,
          },
        ]
      : []),
  ];
}

interface ListActionsProps {
  list: SegmentList;
  onOpen: (open: Open) => void;
}

function ListActions({ list, onOpen }: ListActionsProps) {
  return (
    <Group gap={4} wrap="nowrap">
      <Tooltip label={text.lists.add}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={text.lists.addTo(list.Name)}
          onClick={() => onOpen({ upload: list.Name })}
        >
          <IconPlus size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={text.lists.remove}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={text.lists.removeOf(list.Name)}
          onClick={() => onOpen({ remove: list })}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}

function RemoveListSheet({ list, onClose }: { list: SegmentList; onClose: () => void }) {
  const { Name: name } = list;
  return (
    <ChangeSheet
      permission="segments.manage"
      opened
      onClose={onClose}
      title={text.lists.removeTitle(name)}
      whom={text.lists.removeWhom}
      subject={{}}
      preview={<Text size="sm">{text.lists.matched(list.Matched)}</Text>}
      ready
      submitLabel={text.lists.removeNow}
      done={text.lists.removed(name)}
      undoable={false}
      submit={(reason, { headers }) =>
        gk.delete("/api/v1/segment-lists/{name}", {
          params: { path: { name } },
          headers: { ...headers, ...(reason && { "X-Reason": reason }) },
        })
      }
    />
  );
}
