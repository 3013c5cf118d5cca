import type { EconomyRule } from "@gamekeeper/client";
import { Badge, Button, Group, Stack, Text, Tooltip } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, gk } from "~/api";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { type Column, DataTable } from "~/parts/DataTable";
import { Answered, Empty } from "~/parts/states";
import { useMay } from "~/session";
import { RuleSheet } from "./RuleSheet";
import { sentenceOf } from "./rules";
import { text } from "./text";

/** Which sheet is open: a new rule, or one that is changed or deleted. */
type Open = { edit: EconomyRule | null } | { remove: EconomyRule } | null;

/** The rules, each as a sentence; changed by those who may. */
export function RulesTab() {
  const [open, setOpen] = useState<Open>(null);
  const rules = useQuery(get("/api/v1/economy/rules"));
  const may = useMay("economy.manage");
  const make = (
    <Tooltip label={text.rules.mayNot} disabled={may}>
      <Button
        variant="default"
        leftSection={<IconPlus size={16} />}
        data-disabled={!may || undefined}
        aria-disabled={!may}
        onClick={() => may && setOpen({ edit: null })}
      >
        {text.rules.make}
      </Button>
    </Tooltip>
  );
  return (
    <Stack>
      <Answered query={rules}>
        {({ Values }) =>
          Values.length === 0 ? (
            <Empty title={text.rules.none} hint={text.rules.noneHint} action={make} />
          ) : (
            <>
              <Group justify="space-between">
                <Text c="dimmed">{text.rules.hint}</Text>
                {make}
              </Group>
              <DataTable
                label={text.tabs.rules}
                columns={may ? [...COLUMNS, buttons(setOpen)] : COLUMNS}
                rows={Values}
                rowKey={(rule) => rule.Name}
              />
            </>
          )
        }
      </Answered>
      {open && "edit" in open && <RuleSheet rule={open.edit} onClose={() => setOpen(null)} />}
      {open && "remove" in open && <RemoveSheet rule={open.remove} onClose={() => setOpen(null)} />}
    </Stack>
  );
}

const COLUMNS: Column<EconomyRule>[] = [
  {
    key: "rule",
    title: text.rules.rule,
    cell: (rule) => (
      <div>
        <Text size="sm">{sentenceOf(rule)}</Text>
        <Text size="xs" c="dimmed">
          {rule.Name}
        </Text>
      </div>
    ),
  },
  {
    key: "effect",
    title: text.rules.effect,
    cell: (rule) => (
      // A badge cuts its word rather than widen its column.
      <Badge variant="default" miw="max-content">
        {text.rules.effects[rule.Effect]}
      </Badge>
    ),
  },
];

function buttons(onOpen: (open: Open) => void): Column<EconomyRule> {
  return {
    key: "change",
    title: text.rules.change,
    cell: (rule) => (
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={() => onOpen({ edit: rule })}>
          {text.rules.edit}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => onOpen({ remove: rule })}>
          {text.rules.remove}
        </Button>
      </Group>
    ),
  };
}

function RemoveSheet({ rule, onClose }: { rule: EconomyRule; onClose: () => void }) {
  const { Name: name } = rule;
  return (
    <ChangeSheet
      permission="economy.manage"
      opened
      onClose={onClose}
      title={text.rules.removeTitle(name)}
      whom={text.rules.removeWhom}
      subject={{}}
      preview={<Text size="sm">{sentenceOf(rule)}</Text>}
      ready
      submitLabel={text.rules.remove}
      done={text.rules.removed(name)}
      undoable={false}
      submit={(reason, init) =>
        gk.delete("/api/v1/economy/rules/{name}", {
          params: { path: { name } },
          ...init,
          headers: { ...init.headers, ...(reason && { "X-Reason": reason }) },
        })
      }
    />
  );
}
