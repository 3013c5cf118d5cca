import type { ImposedAccessBan } from "@gamekeeper/client";
import { Badge, Group, Stack, Text, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { gk } from "~/api";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { AccountLink } from "~/parts/people";
import { parseDuration } from "~/parts/sanctions/durations";
import { text } from "./text";

interface AccessBanSheetProps {
  /** What is banned, in words; null: the range is typed here. */
  name?: string | null;
  device?: string | null;
  range?: string | null;
  onClose: () => void;
}

/** Ban a device or an address range, with a preview of the accounts that it stops. */
export function AccessBanSheet({ name, device, range, onClose }: AccessBanSheetProps) {
  const [typed, setTyped] = useState("");
  const [duration, setDuration] = useState<string>(text.usual);
  const [message, setMessage] = useState("");
  const seconds = parseDuration(duration);
  const where = device ? { device } : { range: range ?? typed.trim() };
  const ready = typeof seconds === "number" && Boolean(device ?? where.range);
  const body = { ...where, ...(typeof seconds === "number" && { durationseconds: seconds }) };
  const preview = useQuery({
    queryKey: ["access ban preview", body],
    queryFn: ({ signal }) =>
      gk.post("/api/v1/access-bans", {
        body: { ...body, reason: "preview", dryrun: true },
        signal,
      }),
    enabled: ready,
    retry: false,
    placeholderData: keepPreviousData,
  });
  return (
    <ChangeSheet
      permission="sanctions.access"
      opened
      onClose={onClose}
      title={text.title}
      whom={name ?? text.whom}
      subject={{}}
      preview={preview.data ? <Affected ban={preview.data} /> : null}
      previewLoading={preview.isFetching}
      previewError={preview.error}
      ready={ready}
      reasonRequired
      submitLabel={text.submit}
      done={text.done}
      submit={(reason, init) =>
        gk.post("/api/v1/access-bans", {
          body: { ...body, reason, message: message.trim() },
          ...init,
        })
      }
    >
      {!name && (
        <TextInput
          label={text.range}
          description={text.rangeHint}
          value={typed}
          required
          maxLength={64}
          data-autofocus
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <TextInput
        label={text.duration}
        description={text.durationHint}
        value={duration}
        error={typeof seconds === "number" ? null : text.durationOdd}
        onChange={(event) => setDuration(event.currentTarget.value)}
      />
      <TextInput
        label={text.message}
        value={message}
        maxLength={2000}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
    </ChangeSheet>
  );
}

function Affected({ ban }: { ban: ImposedAccessBan }) {
  return (
    <Stack gap={4}>
      <Text size="sm">{text.affected(ban.Accounts, ban.MoreAccounts)}</Text>
      {ban.Affected.map((one) => (
        <Group gap="xs" key={one.UserId}>
          <AccountLink name={one.UserName} />
          {one.IsStaff && <Badge color="red">{text.staff}</Badge>}
          {one.IsBanned && <Badge color="gray">{text.banned}</Badge>}
        </Group>
      ))}
      {ban.Accounts > ban.Affected.length && (
        <Text size="sm" c="dimmed">
          {text.more(ban.Accounts - ban.Affected.length)}
        </Text>
      )}
    </Stack>
  );
}
