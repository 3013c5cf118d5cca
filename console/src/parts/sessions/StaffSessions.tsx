import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { get, gk } from "~/api";
import { Card } from "~/parts/Card";
import { Answered, Loading } from "~/parts/states";
import { useMay, useMe } from "~/session";
import { end } from "./end";
import { ResetFactors } from "./ResetFactors";
import { SessionLine } from "./SessionLine";
import { text } from "./text";

/** The open browser sessions of a member of staff. */
export function useStaffSessions(name: string, isStaff = true) {
  const may = useMay("staff.manage");
  return useQuery({
    ...get("/api/v1/staff/{user}/sessions", { params: { path: { user: name } } }),
    enabled: may && isStaff,
  });
}

/** Where a member of staff is signed in. A stolen session is ended here. */
export function StaffSessions({ name, order }: { name: string; order?: 2 | 3 }) {
  const may = useMay("staff.manage");
  const sessions = useStaffSessions(name);
  // "End all" would end the session at hand too; the profile has a button for all others.
  const isMine = useMe().Name === name;
  return (
    <Card
      title={text.title}
      hint={text.hint}
      {...(order && { order })}
      beside={
        may &&
        !isMine && (
          <Group gap="xs">
            <ResetFactors name={name} />
            {(sessions.data?.Total ?? 0) > 0 && <EndAll name={name} />}
          </Group>
        )
      }
    >
      {may ? (
        <Answered query={sessions} loading={<Loading rows={2} />}>
          {({ Values }) => (
            <Stack gap="sm">
              {Values.length === 0 && <Text c="dimmed">{text.none}</Text>}
              {Values.map((session) => (
                <SessionLine
                  key={session.Id}
                  session={session}
                  onEnd={() =>
                    end(
                      (init) =>
                        gk.delete("/api/v1/staff/{user}/sessions/{session_id}", {
                          params: { path: { user: name, session_id: session.Id } },
                          ...init,
                        }),
                      text.ended,
                    )
                  }
                />
              ))}
            </Stack>
          )}
        </Answered>
      ) : (
        <Text c="dimmed">{text.mayNot}</Text>
      )}
    </Card>
  );
}

function EndAll({ name }: { name: string }) {
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() =>
        end(
          (init) =>
            gk.delete("/api/v1/staff/{user}/sessions", {
              params: { path: { user: name } },
              ...init,
            }),
          text.endedAll,
        )
      }
    >
      {text.endAll}
    </Button>
  );
}
