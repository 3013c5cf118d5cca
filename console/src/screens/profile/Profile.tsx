import { Badge, Group, SimpleGrid, Text } from "@mantine/core";
import { Card } from "~/parts/Card";
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
