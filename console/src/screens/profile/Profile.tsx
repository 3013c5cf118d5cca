import { Badge, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Page } from "~/parts/Page";
import { useMe } from "~/session";
import { Factors } from "./Factors";
import { Sessions } from "./Sessions";
import { text } from "./text";

/** The person at the console: what they may do, how they sign in, where they are signed in. */
export function Profile() {
  const { Name, Roles } = useMe();
  return (
    <Page
      title={text.title}
      beside={
        <Group gap="xs">
          <Text>{Name}</Text>
          {Roles.map((role) => (
            <Badge key={role} variant="default">
              {role}
            </Badge>
          ))}
        </Group>
      }
    >
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Card title={text.factors} hint={text.factorsHint}>
          <Factors />
        </Card>
        <Card title={text.sessions} hint={text.sessionsHint}>
          <Sessions />
        </Card>
      </SimpleGrid>
    </Page>
  );
}

function Card({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Stack>
        <div>
          <Title order={2}>{title}</Title>
          <Text c="dimmed" size="sm">
            {hint}
          </Text>
        </div>
        {children}
      </Stack>
    </Paper>
  );
}
