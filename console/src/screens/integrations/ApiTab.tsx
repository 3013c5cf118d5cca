import {
  Anchor,
  Code,
  Group,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from "@mantine/core";
import { IconBook, IconFileCode } from "@tabler/icons-react";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { config } from "~/config";
import { CopyId } from "~/parts/CopyId";
import { useMay } from "~/session";
import { CodeBlock } from "./CodeBlock";
import { LANGUAGES } from "./search";
import { snippets } from "./snippets";
import { text } from "./text";

/** Where the API is, what describes it, and the first lines of a program that uses it. */
export function ApiTab() {
  const { language = "curl" } = useSearch({ from: "/integrations" });
  const navigate = useNavigate();
  const mayKeys = useMay("keys.manage");
  const url = location.origin + config.root;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Paper withBorder p="lg">
          <Text size="xs" c="dimmed" fw={600} mb={4}>
            {text.api.address}
          </Text>
          <Group gap="xs" wrap="nowrap">
            <Code>{url}</Code>
            <CopyId id={url} what={text.api.addressName} />
          </Group>
        </Paper>
        <Document
          href={`${url}/api/docs`}
          icon={<IconBook size={20} aria-hidden="true" />}
          title={text.api.docs}
          hint={text.api.docsHint}
        />
        <Document
          href={`${url}/api/openapi.json`}
          icon={<IconFileCode size={20} aria-hidden="true" />}
          title={text.api.openapi}
          hint={text.api.openapiHint}
        />
      </SimpleGrid>
      <Paper withBorder p="lg" component="section" aria-label={text.api.snippets}>
        <Stack>
          <Group justify="space-between" align="flex-start">
            <div>
              <Title order={2}>{text.api.snippets}</Title>
              <Text size="sm" c="dimmed">
                {text.api.snippetsHint}{" "}
                {mayKeys && (
                  <Link to="/integrations" search={{ tab: "keys" }}>
                    {text.api.makeKey}
                  </Link>
                )}
              </Text>
            </div>
            <SegmentedControl
              aria-label={text.api.languageLabel}
              value={language}
              data={LANGUAGES.map((value) => ({ value, label: text.api.languages[value] }))}
              onChange={(next) =>
                void navigate({
                  to: "/integrations",
                  search: { tab: "api", language: LANGUAGES.find((one) => one === next) ?? "curl" },
                  replace: true,
                })
              }
            />
          </Group>
          {snippets(url)[language].map((step) => (
            <div key={step.title}>
              <Text size="sm" fw={600} mb={8}>
                {step.title}
              </Text>
              <CodeBlock code={step.code} label={step.title} />
            </div>
          ))}
        </Stack>
      </Paper>
    </Stack>
  );
}

interface DocumentProps {
  href: string;
  icon: ReactNode;
  title: string;
  hint: string;
}

function Document({ href, icon, title, hint }: DocumentProps) {
  return (
    <Paper withBorder p="lg">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        {icon}
        <div>
          <Anchor href={href} target="_blank" rel="noreferrer" fw={600} underline="always">
            {title}
          </Anchor>
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        </div>
      </Group>
    </Paper>
  );
}
