import { Drawer, List, Stack, Text, Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { gk } from "~/api";
import { ShowMore, usePages } from "~/parts/pages";
import { Answered } from "~/parts/states";
import { text } from "./text";

const LIMIT = 100;

/** The names on a list that match no character. */
export function UnmatchedNames({ list }: { list: string }) {
  const names = usePages({
    key: ["/api/v1/segment-lists/{name}/unmatched", list],
    read: (after, signal) =>
      gk.get("/api/v1/segment-lists/{name}/unmatched", {
        params: { path: { name: list }, query: { limit: LIMIT, ...after } },
        signal,
      }),
  });
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {text.lists.unmatchedHint}
      </Text>
      <Answered query={names}>
        {(all) => (
          <List>
            {all.map((name) => (
              <List.Item key={name}>{name}</List.Item>
            ))}
          </List>
        )}
      </Answered>
      <ShowMore of={names} />
    </Stack>
  );
}

export function UnmatchedSheet({ name, onClose }: { name: string; onClose: () => void }) {
  const isPhone = useMediaQuery("(max-width: 48em)");
  return (
    <Drawer
      opened
      onClose={onClose}
      title={
        <Title order={2} component="span">
          {text.lists.unmatchedOf(name)}
        </Title>
      }
      position={isPhone ? "bottom" : "right"}
      size={isPhone ? "90%" : "md"}
      closeButtonProps={{ "aria-label": text.lists.close }}
    >
      <UnmatchedNames list={name} />
    </Drawer>
  );
}
