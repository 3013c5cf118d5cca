import { Stack, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import classes from "./rights.module.css";
import { grouped, titleOf } from "./scopes";
import { text } from "./text";
import { useScopes } from "./useScopes";

/** Rights in words, under headings; null: everything. */
export function ScopeList({ scopes }: { scopes: readonly string[] | null }) {
  const words = new Map(useScopes()?.map((one) => [one.Scope, one.Description]));
  if (scopes === null) return <Text>{text.everything}</Text>;
  if (scopes.length === 0) return <Text c="dimmed">{text.nothing}</Text>;
  return (
    <Stack gap="md">
      {grouped(scopes).map((group) => (
        <div key={group.title}>
          <Text size="xs" c="dimmed" fw={600} mb={4}>
            {group.title}
          </Text>
          <ul className={classes.list}>
            {group.scopes.map((scope) => (
              <li key={scope} className={classes.right}>
                <IconCheck size={16} aria-hidden="true" />
                <div>
                  <Text size="sm">{titleOf(scope)}</Text>
                  <Text size="xs" c="dimmed">
                    {words.get(scope) ?? scope}
                  </Text>
                </div>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Stack>
  );
}
