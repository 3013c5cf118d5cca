import type { TotpEnrolment } from "@gamekeeper/client";
import {
  Button,
  Center,
  Code,
  CopyButton,
  Group,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { type FormEvent, useState } from "react";
import { config } from "~/config";
import { text } from "./text";

interface ConfirmAppProps {
  app: TotpEnrolment;
  busy: boolean;
  onCode: (code: string) => void;
}

/** An authenticator app: its secret to scan, and the code that proves it was. */
export function ConfirmApp({ app, busy, onCode }: ConfirmAppProps) {
  const [code, setCode] = useState("");
  function submit(event: FormEvent) {
    event.preventDefault();
    onCode(code.trim());
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>{text.enrolment.scan}</Text>
        <Center p="sm" bg="white" style={{ borderRadius: 8 }}>
          <img
            src={`data:image/svg+xml;utf8,${encodeURIComponent(app.QrCode)}`}
            alt={text.enrolment.qr}
            width={180}
          />
        </Center>
        <Text size="sm">
          {text.enrolment.secret}: <Code>{app.Secret}</Code>
        </Text>
        <TextInput
          label={text.enrolment.code}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          required
        />
        <Button type="submit" loading={busy}>
          {text.enrolment.confirm}
        </Button>
      </Stack>
    </form>
  );
}

const fileOf = (codes: string[]) =>
  [text.enrolment.fileTitle(config.game), ...codes, ""].join("\n");

/** Recovery codes, shown this once. */
export function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  return (
    <Stack>
      <Title order={2}>{text.enrolment.codes}</Title>
      <Text c="dimmed">{text.enrolment.codesHint}</Text>
      <SimpleGrid cols={2} spacing="xs">
        {codes.map((code) => (
          <Code key={code} ta="center" p="xs">
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Group justify="space-between">
        <Group gap="xs">
          <CopyButton value={codes.join("\n")}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? text.enrolment.copied : text.enrolment.copy}
              </Button>
            )}
          </CopyButton>
          {/* Made in the browser: the service does not keep the codes. */}
          <Button
            component="a"
            variant="default"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(fileOf(codes))}`}
            download={text.enrolment.file}
          >
            {text.enrolment.download}
          </Button>
        </Group>
        <Button onClick={onKept}>{text.enrolment.kept}</Button>
      </Group>
    </Stack>
  );
}
