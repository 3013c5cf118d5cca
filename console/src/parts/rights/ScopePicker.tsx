import { Checkbox, Fieldset, Group, SimpleGrid, Stack, Text, Tooltip } from "@mantine/core";
import { useMe } from "~/session";
import classes from "./rights.module.css";
import { grouped, titleOf } from "./scopes";
import { scopeTitles, text } from "./text";
import { useScopes } from "./useScopes";

interface ScopePickerProps {
  value: readonly string[];
  onChange: (scopes: string[]) => void;
}

/** Rights to tick, in words and under headings; only what one has can be given. */
export function ScopePicker({ value, onChange }: ScopePickerProps) {
  const said = useScopes();
  const mine = useMe().Scopes;
  const all = said?.map(({ Scope }) => Scope) ?? Object.keys(scopeTitles);
  const words = new Map(said?.map((one) => [one.Scope, one]));
  const grantable = (scope: string) => words.get(scope)?.Grantable ?? mine.includes(scope);

  function set(scopes: readonly string[], on: boolean) {
    const others = value.filter((scope) => !scopes.includes(scope));
    onChange(on ? [...others, ...scopes] : others);
  }

  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {text.rights}
        </Text>
        <Text size="sm" c="dimmed" aria-live="polite">
          {text.chosen(value.length)}
        </Text>
      </Group>
      {grouped(all).map((group) => {
        const free = group.scopes.filter(grantable);
        const ticked = free.filter((scope) => value.includes(scope));
        return (
          <Fieldset key={group.title} legend={group.title} p="sm">
            <SimpleGrid cols={1} spacing="xs">
              {free.length > 1 && (
                <Checkbox
                  size="sm"
                  label={text.all}
                  aria-label={text.allOf(group.title)}
                  checked={ticked.length === free.length}
                  indeterminate={ticked.length > 0 && ticked.length < free.length}
                  onChange={(event) => set(free, event.currentTarget.checked)}
                />
              )}
              {group.scopes.map((scope) => (
                <Tooltip key={scope} label={text.notYours} disabled={grantable(scope)}>
                  <Checkbox
                    size="sm"
                    className={classes.scope}
                    label={titleOf(scope)}
                    description={words.get(scope)?.Description ?? scope}
                    checked={value.includes(scope)}
                    disabled={!grantable(scope)}
                    onChange={(event) => set([scope], event.currentTarget.checked)}
                  />
                </Tooltip>
              ))}
            </SimpleGrid>
          </Fieldset>
        );
      })}
    </Stack>
  );
}
