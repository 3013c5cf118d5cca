import type { BannedLinked, LinkedAccounts } from "@gamekeeper/client";
import { Checkbox, Stack, Text, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { gk } from "~/api";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { parseDuration } from "~/parts/sanctions/durations";
import { text } from "./text";

const words = text.linked;

interface BanLinkedSheetProps {
  linked: LinkedAccounts;
  onClose: () => void;
}

/** Ban the account and those that are linked with it; the strong links are chosen at first. */
export function BanLinkedSheet({ linked, onClose }: BanLinkedSheetProps) {
  const accounts = [
    { id: linked.UserId, name: linked.UserName, why: words.thisAccount },
    ...linked.Values.map((one) => ({ id: one.UserId, name: one.UserName, why: one.Summary })),
  ];
  const strong = linked.Values.filter((one) => one.Strength === "strong");
  const [chosen, setChosen] = useState([linked.UserId, ...strong.map((one) => one.UserId)]);
  const [duration, setDuration] = useState<string>(words.permanent);
  const [message, setMessage] = useState("");
  const seconds = parseDuration(duration);
  const body = {
    users: chosen,
    message: message.trim(),
    ...(typeof seconds === "number" && { durationseconds: seconds }),
  };
  const path = { params: { path: { key: linked.UserId } } };
  const ready = chosen.length > 0 && seconds !== undefined;
  const preview = useQuery({
    queryKey: ["ban linked preview", linked.UserId, chosen, seconds],
    queryFn: ({ signal }) =>
      gk.post("/api/v1/users/{key}/linked/ban", {
        ...path,
        body: { ...body, message: "", reason: "preview", dryrun: true },
        signal,
      }),
    enabled: ready,
    retry: false,
    placeholderData: keepPreviousData,
  });
  return (
    <ChangeSheet
      permission="sanctions.manage"
      opened
      onClose={onClose}
      title={words.banTitle}
      whom={words.banWhom}
      subject={{ user: linked.UserId }}
      preview={preview.data ? <Outcomes result={preview.data} /> : null}
      previewLoading={preview.isFetching}
      previewError={preview.error}
      ready={ready}
      reasonRequired
      submitLabel={words.banSubmit}
      done={words.banDone}
      outcome={(result: BannedLinked) => <Outcomes result={result} />}
      undoable={false}
      submit={(reason, init) =>
        gk.post("/api/v1/users/{key}/linked/ban", { ...path, body: { ...body, reason }, ...init })
      }
    >
      <Checkbox.Group label={words.banWhich} value={chosen} onChange={setChosen}>
        <Stack gap="xs" mt="xs">
          {accounts.map(({ id, name, why }) => (
            <Checkbox key={id} value={id} label={name} description={why} />
          ))}
        </Stack>
      </Checkbox.Group>
      <TextInput
        label={words.duration}
        description={words.durationHint}
        value={duration}
        error={seconds === undefined ? words.durationOdd : null}
        onChange={(event) => setDuration(event.currentTarget.value)}
      />
      <TextInput
        label={words.message}
        value={message}
        maxLength={2000}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
    </ChangeSheet>
  );
}

function Outcomes({ result }: { result: BannedLinked }) {
  return (
    <Stack gap={4} component="ul" p={0} m={0} style={{ listStyle: "none" }}>
      {result.Values.map((one) => (
        <Text component="li" size="sm" key={one.UserId} c={one.IsDone ? undefined : "dimmed"}>
          <b>{one.UserName}</b>{" "}
          {one.IsDone ? words.outcome(result.DryRun, one.Code ?? "") : one.Message}
        </Text>
      ))}
    </Stack>
  );
}
