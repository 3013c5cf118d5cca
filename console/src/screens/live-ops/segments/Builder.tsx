import { Button, CloseButton, Group, Paper, Select, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { ConditionLine } from "./ConditionLine";
import {
  type ConditionDraft,
  countConditions,
  type Draft,
  type GroupDraft,
  MAX_CONDITIONS,
  MAX_GROUPS,
  type Match,
  newCondition,
  newGroup,
} from "./definition";
import classes from "./segments.module.css";
import { text } from "./text";

interface BuilderProps {
  draft: Draft;
  onChange: (draft: Draft) => void;
}

/** The sentence builder: groups of conditions, in the two levels that a segment has. */
export function Builder({ draft, onChange }: BuilderProps) {
  const { match, groups } = draft;
  const isFull = countConditions(draft) >= MAX_CONDITIONS;
  // Conditions are counted over all groups, so that each has a name of its own.
  const before = groups.map((_, at) =>
    groups.slice(0, at).reduce((sum, group) => sum + group.conditions.length, 0),
  );
  return (
    <Stack>
      {groups.length > 1 && (
        <Group gap="xs">
          <Text>{text.builder.characters}</Text>
          <MatchSelect
            label={text.builder.match}
            value={match}
            onChange={(next) => onChange({ ...draft, match: next })}
          />
          <Text>{text.builder.ofGroups}</Text>
        </Group>
      )}
      {groups.map((group, at) => (
        <GroupCard
          key={group.key}
          group={group}
          at={at + 1}
          before={before[at] ?? 0}
          isFull={isFull}
          onChange={(next) =>
            onChange({ ...draft, groups: groups.map((one) => (one === group ? next : one)) })
          }
          onRemove={
            groups.length > 1
              ? () => onChange({ ...draft, groups: groups.filter((one) => one !== group) })
              : undefined
          }
        />
      ))}
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          disabled={isFull || groups.length >= MAX_GROUPS}
          onClick={() => onChange({ ...draft, groups: [...groups, newGroup()] })}
        >
          {text.builder.addGroup}
        </Button>
        {isFull && (
          <Text size="sm" c="dimmed">
            {text.builder.most}
          </Text>
        )}
      </Group>
    </Stack>
  );
}

interface GroupCardProps {
  group: GroupDraft;
  at: number;
  /** How many conditions the groups before it have. */
  before: number;
  isFull: boolean;
  onChange: (group: GroupDraft) => void;
  onRemove?: (() => void) | undefined;
}

function GroupCard({ group, at, before, isFull, onChange, onRemove }: GroupCardProps) {
  const { conditions } = group;
  function change(old: ConditionDraft, next: ConditionDraft | null) {
    const changed = conditions.flatMap((one) => (one === old ? (next ?? []) : one));
    onChange({ ...group, conditions: changed });
  }
  return (
    <Paper withBorder p="md" component="section" aria-label={text.builder.group(at)}>
      <Stack>
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Group gap="xs">
            <Text>{onRemove ? text.builder.group(at) : text.builder.characters}</Text>
            <MatchSelect
              label={text.builder.groupMatch(at)}
              value={group.match}
              onChange={(match) => onChange({ ...group, match })}
            />
            <Text>{text.builder.ofConditions}</Text>
          </Group>
          {onRemove && <CloseButton aria-label={text.builder.removeGroup(at)} onClick={onRemove} />}
        </Group>
        <ol className={classes.conditions}>
          {conditions.map((condition, index) => (
            <ConditionLine
              key={condition.key}
              condition={condition}
              at={before + index + 1}
              onChange={(next) => change(condition, next)}
              onRemove={conditions.length > 1 ? () => change(condition, null) : undefined}
            />
          ))}
        </ol>
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} />}
            disabled={isFull}
            onClick={() => onChange({ ...group, conditions: [...conditions, newCondition()] })}
          >
            {text.builder.add}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

interface MatchSelectProps {
  label: string;
  value: Match;
  onChange: (match: Match) => void;
}

function MatchSelect({ label, value, onChange }: MatchSelectProps) {
  return (
    <Select
      aria-label={label}
      w={84}
      size="xs"
      data={Object.entries(text.builder.matches).map(([match, words]) => ({
        value: match,
        label: words,
      }))}
      value={value}
      allowDeselect={false}
      onChange={(chosen) => onChange(chosen === "any" ? "any" : "all")}
    />
  );
}
