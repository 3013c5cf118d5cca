import type { User } from "@gamekeeper/client";
import { Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconCheck, IconMinus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Card } from "~/parts/Card";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { text } from "./text";
import { useRoles } from "./useRoles";

/** What the account may do: powers in the game, roles in this console. */
export function RightsTab({ user }: { user: User }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Card title={text.rights.powers} hint={text.rights.powersHint}>
        <Stack gap="sm">
          {Object.entries(user.Power).map(([power, has]) => (
            <Power key={power} power={power} has={has} />
          ))}
        </Stack>
      </Card>
      <Card title={text.rights.roles} hint={text.rights.rolesHint}>
        <Roles user={user} />
      </Card>
    </SimpleGrid>
  );
}

function Power({ power, has }: { power: string; has: boolean }) {
  const [name, allows] = text.rights.words[power] ?? [power, ""];
  const Icon = has ? IconCheck : IconMinus;
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Icon
        size={18}
        color={has ? "var(--gk-gain)" : "var(--mantine-color-dimmed)"}
        role="img"
        aria-label={has ? text.rights.has : text.rights.hasNot}
      />
      <Text c={has ? undefined : "dimmed"} fw={has ? 600 : 400}>
        {name}
        <Text span inherit fw={400} size="sm" c="dimmed">
          {" – "}
          {allows}
        </Text>
      </Text>
    </Group>
  );
}

function Roles({ user }: { user: User }) {
  const mayRead = useMay("staff.read");
  const roles = useRoles(user);
  if (!mayRead) return <Text c="dimmed">{text.rights.mayNotRead}</Text>;
  return (
    <Stack gap="sm">
      {roles?.length === 0 && <Text c="dimmed">{text.rights.noRoles}</Text>}
      {roles?.map((role) => (
        <Text key={role.Name}>
          <Text span fw={600}>
            {role.Name}
          </Text>{" "}
          <Text span size="sm" c="dimmed">
            {text.rights.since} <When at={role.GrantedAt} span />
          </Text>
        </Text>
      ))}
      <Link to="/settings">{text.rights.settings}</Link>
    </Stack>
  );
}
