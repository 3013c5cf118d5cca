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

const text = {
  scan: "Scan this with your authenticator app, or type the secret.",
  secret: "Secret",
  code: "The code that it shows",
  confirm: "Confirm",
  qr: "QR code for your authenticator app",
  codes: "Your recovery codes",
  codesHint:
    "Each works once, if you lose your second step. Keep them where you keep passwords; they are not shown again.",
  copy: "Copy them",
  copied: "Copied",
  kept: "I kept them",
};

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
        <Text>{text.scan}</Text>
        <Center p="sm" bg="white" style={{ borderRadius: 8 }}>
          <img
            src={`data:image/svg+xml;utf8,${encodeURIComponent(app.QrCode)}`}
            alt={text.qr}
            width={180}
          />
        </Center>
        <Text size="sm">
          {text.secret}: <Code>{app.Secret}</Code>
        </Text>
        <TextInput
          label={text.code}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          required
        />
        <Button type="submit" loading={busy}>
          {text.confirm}
        </Button>
      </Stack>
    </form>
  );
}

/** Recovery codes, shown this once. */
export function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  return (
    <Stack>
      <Title order={2}>{text.codes}</Title>
      <Text c="dimmed">{text.codesHint}</Text>
      <SimpleGrid cols={2} spacing="xs">
        {codes.map((code) => (
          <Code key={code} ta="center" p="xs">
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Group justify="space-between">
        <CopyButton value={codes.join("\n")}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? text.copied : text.copy}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onKept}>{text.kept}</Button>
      </Group>
    </Stack>
  );
}
