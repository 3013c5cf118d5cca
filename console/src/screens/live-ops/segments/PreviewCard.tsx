import type { SegmentMember } from "@gamekeeper/client";
import { Alert, Badge, Box, Group, Loader, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useCatalogName } from "~/names";
import { Card } from "~/parts/Card";
import { type Column, DataTable } from "~/parts/DataTable";
import { PlayerLink } from "~/parts/people";
import { Loading } from "~/parts/states";
import { bodyOf, type Draft } from "./definition";
import { text } from "./text";
import { type Preview, usePreview } from "./usePreview";

/** Milliseconds after the last change until players are counted. */
const PAUSE = 400;

const COLUMNS: Column<SegmentMember>[] = [
  { key: "name", title: text.preview.columns.name, cell: (one) => <PlayerLink name={one.Name} /> },
  { key: "level", title: text.preview.columns.level, numeric: true, cell: (one) => one.Level },
  {
    key: "class",
    title: text.preview.columns.class,
    secondary: true,
    cell: (one) => <ClassName id={one.ClassId} />,
  },
];

/** How many players match the conditions now, and some of them. */
export function PreviewCard({ draft }: { draft: Draft }) {
  const [settled] = useDebouncedValue(draft, PAUSE);
  const conditions = bodyOf(settled);
  const preview = usePreview(conditions);
  return (
    <Card title={text.page.preview}>
      {conditions === null ? (
        <Text c="dimmed" role="status">
          {text.preview.incomplete}
        </Text>
      ) : preview.error && !preview.isStale ? (
        <Alert color="red" role="alert">
          {preview.error.message}
        </Alert>
      ) : preview.known ? (
        <Box opacity={preview.isStale || settled !== draft ? 0.6 : 1}>
          <Counted preview={preview} />
        </Box>
      ) : (
        <Loading rows={4} />
      )}
    </Card>
  );
}

function Counted({ preview }: { preview: Preview }) {
  const { known, isCounting, isTooSlow } = preview;
  if (!known) return null;
  return (
    <Stack>
      <div role="status">
        <Group gap="sm">
          <Text size="xl" fw={650}>
            {known.IsEstimate ? text.preview.about(known.Count) : text.preview.count(known.Count)}
          </Text>
          {known.IsEstimate && <Badge variant="light">{text.preview.estimate}</Badge>}
        </Group>
        {known.IsEstimate && (
          <Text size="sm" c="dimmed">
            {text.preview.between(known.AtLeast, known.AtMost)}
          </Text>
        )}
        {isCounting && (
          <Group gap="xs">
            <Loader size={14} />
            <Text size="sm">{text.preview.counting}</Text>
          </Group>
        )}
        {isTooSlow && <Text size="sm">{text.preview.tooSlow}</Text>}
      </div>
      {known.Samples.length > 0 && (
        <DataTable
          label={text.preview.examples}
          columns={COLUMNS}
          rows={known.Samples}
          rowKey={(one) => one.Id}
        />
      )}
    </Stack>
  );
}

function ClassName({ id }: { id: string }) {
  return useCatalogName("classes", id) ?? "…";
}
