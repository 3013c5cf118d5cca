import type { KeyRecord } from "@gamekeeper/client";
import { Button, Drawer, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconKeyOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, gk } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { CopyId } from "~/parts/CopyId";
import { limitsInWords } from "~/parts/rights/limits";
import { ScopeList } from "~/parts/rights/ScopeList";
import { text as rights } from "~/parts/rights/text";
import { Fact } from "~/parts/sanctions/SanctionFacts";
import { Answered } from "~/parts/states";
import { When } from "~/parts/When";
import { text } from "./text";

/** One key: its rights and limits, and its end. */
export function KeySheet({ id, onClose }: { id: string; onClose: () => void }) {
  const isPhone = useMediaQuery("(max-width: 48em)");
  const [revoking, setRevoking] = useState(false);
  const key = useQuery(get("/api/v1/keys/{id}", { params: { path: { id } } }));
  if (revoking && key.data) {
    return <RevokeSheet record={key.data} onClose={() => setRevoking(false)} />;
  }
  return (
    <Drawer
      opened
      onClose={onClose}
      title={
        <Title order={2} component="span">
          {key.data ? text.keys.open(key.data.Name) : text.keys.label}
        </Title>
      }
      position={isPhone ? "bottom" : "right"}
      size={isPhone ? "90%" : "md"}
      closeButtonProps={{ "aria-label": text.close }}
    >
      <Answered query={key}>
        {(record) => (
          <Stack>
            <KeyFacts record={record} />
            {record.State === "live" && (
              <Group justify="flex-end">
                <Button
                  variant="default"
                  leftSection={<IconKeyOff size={16} />}
                  onClick={() => setRevoking(true)}
                >
                  {text.keys.revoke}
                </Button>
              </Group>
            )}
          </Stack>
        )}
      </Answered>
    </Drawer>
  );
}

function KeyFacts({ record }: { record: KeyRecord }) {
  const limits = limitsInWords(record.Limits);
  return (
    <>
      <SimpleGrid cols={2}>
        <Fact label={text.keys.state}>
          <Group gap={4}>
            {text.keys.states[record.State]} <CopyId id={record.Id} />
          </Group>
        </Fact>
        <Fact label={text.keys.used}>
          {record.UsedAt ? <When at={record.UsedAt} /> : text.keys.never}
        </Fact>
        <Fact label={text.keys.made}>
          <When at={record.CreatedAt} />
        </Fact>
        {record.RevokedAt ? (
          <Fact label={text.keys.revoked}>
            <When at={record.RevokedAt} />
          </Fact>
        ) : (
          <Fact label={text.keys.expires}>
            {record.ExpiresAt ? <When at={record.ExpiresAt} /> : text.keys.untilRevoked}
          </Fact>
        )}
      </SimpleGrid>
      <Fact label={text.keys.limits}>
        {limits.length === 0
          ? rights.noLimits
          : limits.map((words) => (
              <Text key={words} size="sm">
                {words}
              </Text>
            ))}
      </Fact>
      {record.Scopes === null ? (
        <Text>{text.keys.commandLine}</Text>
      ) : (
        <ScopeList scopes={record.Scopes} />
      )}
    </>
  );
}

function RevokeSheet({ record, onClose }: { record: KeyRecord; onClose: () => void }) {
  const { Id: id, Name: name } = record;
  return (
    <ChangeSheet
      permission="keys.manage"
      opened
      onClose={onClose}
      title={text.keys.revokeTitle(name)}
      whom={text.keys.revokeWhom}
      subject={{}}
      preview={
        <BeforeAfter
          changes={[
            {
              key: id,
              label: name,
              before: text.keys.states.live,
              after: text.keys.states.revoked,
            },
          ]}
        />
      }
      ready
      submitLabel={text.keys.revokeNow}
      done={text.keys.revokedToast(name)}
      undoable={false}
      submit={(reason, init) =>
        gk.delete("/api/v1/keys/{id}", {
          params: { path: { id } },
          ...init,
          headers: { ...init.headers, ...(reason && { "X-Reason": reason }) },
        })
      }
    />
  );
}
