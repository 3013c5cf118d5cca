import { Button, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { get, gk } from "~/api";
import { end } from "~/parts/sessions/end";
import { SessionLine } from "~/parts/sessions/SessionLine";
import { Answered } from "~/parts/states";
import { text } from "./text";

/** The browsers in which one is signed in, and the end of each. */
export function Sessions() {
  const query = useQuery(get("/api/v1/me/sessions", { params: { query: { pageSize: 20 } } }));
  return (
    <Answered query={query}>
      {({ Values }) => (
        <Stack gap="md">
          {Values.map((session) => (
            <SessionLine
              key={session.Id}
              session={session}
              onEnd={() =>
                end(
                  (init) =>
                    gk.delete("/api/v1/me/sessions/{session_id}", {
                      params: { path: { session_id: session.Id } },
                      ...init,
                    }),
                  text.ended,
                )
              }
            />
          ))}
          {Values.length > 1 && (
            <Group justify="flex-end">
              <Button
                variant="default"
                onClick={() => end((init) => gk.delete("/api/v1/me/sessions", init), text.ended)}
              >
                {text.endOthers}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Answered>
  );
}
