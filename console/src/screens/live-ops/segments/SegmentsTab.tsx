import type { Segment } from "@gamekeeper/client";
import { Button, Group, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { get } from "~/api";
import { grouped } from "~/format";
import { type Column, DataTable } from "~/parts/DataTable";
import { MayButton } from "~/parts/MayButton";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { bodyOf, draftOf } from "./definition";
import { NameLists } from "./NameLists";
import { text } from "./text";
import { previewOf } from "./usePreview";

const COLUMNS: Column<Segment>[] = [
  {
    key: "name",
    title: text.columns.name,
    cell: (one) => (
      <Text span inherit fw={600}>
        {one.Name}
      </Text>
    ),
  },
  {
    key: "description",
    title: text.columns.description,
    secondary: true,
    cell: (one) => one.Description,
  },
  {
    key: "members",
    title: text.columns.members,
    numeric: true,
    cell: (one) => <Members of={one} />,
  },
  {
    key: "changed",
    title: text.columns.changed,
    secondary: true,
    cell: (one) => <When at={one.ChangedAt} />,
  },
  { key: "by", title: text.columns.by, secondary: true, cell: (one) => one.ChangedByName },
];

/** The saved segments, by name, and the lists of names that they use. */
export function SegmentsTab() {
  const segments = useQuery(get("/api/v1/segments"));
  const navigate = useNavigate();
  const may = useMay("segments.manage");
  const make = (
    <MayButton
      leftSection={<IconPlus size={16} />}
      refusal={may ? null : text.mayNot}
      onClick={() => void navigate({ to: "/live-ops/new-segment" })}
    >
      {text.make}
    </MayButton>
  );
  return (
    <Stack>
      <Answered query={segments}>
        {({ Values }) =>
          Values.length === 0 ? (
            <Empty title={text.none} hint={text.noneHint} action={make} />
          ) : (
            <>
              <Group justify="flex-end">{make}</Group>
              <DataTable
                label={text.label}
                columns={COLUMNS}
                rows={Values}
                rowKey={(one) => one.Name}
                onOpen={({ Name }) =>
                  void navigate({ to: "/segments/$segment", params: { segment: Name } })
                }
              />
            </>
          )
        }
      </Answered>
      <NameLists />
    </Stack>
  );
}

/** Counted when asked for: the service counts only two segments at a time. */
function Members({ of }: { of: Segment }) {
  const [isAsked, setIsAsked] = useState(false);
  const query = previewOf(bodyOf(draftOf(of)), false);
  const { data, isFetching, error } = useQuery({ ...query, enabled: isAsked });
  if (data) return data.IsEstimate ? text.preview.about(data.Count) : grouped(data.Count);
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={text.countOf(of.Name)}
      loading={isFetching}
      title={error?.message}
      onClick={(event) => {
        event.stopPropagation();
        setIsAsked(true);
      }}
    >
      {text.count}
    </Button>
  );
}
