import type { Guild, VariableEntry } from "@gamekeeper/client";
import { Button, NumberInput, Switch, Text, TextInput, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, gk } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { type Column, DataTable } from "~/parts/DataTable";
import { Answered, Empty, Failed } from "~/parts/states";
import { isValid, type Value } from "~/screens/player/state/variables/values";
import { useMay } from "~/session";
import { canUndo } from "./changes/undoable";
import { text } from "./text";

interface Line {
  variable: VariableEntry;
  value: Value;
  isSet: boolean;
}

/** Every variable that guilds have, with the guild's value or the default. */
export function VariablesTab({ guild }: { guild: Guild }) {
  const may = useMay("players.variables");
  const [chosen, choose] = useState<Line | null>(null);
  const catalog = useQuery(
    get("/api/v1/catalog/variables", { params: { query: { pageSize: 100 } } }),
  );
  const values = useQuery(
    get("/api/v1/guilds/{guild_id}/variables", { params: { path: { guild_id: guild.Id } } }),
  );
  if (catalog.error) return <Failed error={catalog.error} />;
  return (
    <Answered query={values}>
      {(found) => {
        const set = new Map(found.map((one) => [one.VariableId, one.Value as Value]));
        const lines = (catalog.data?.Values ?? [])
          .filter((variable) => variable.Owner === "guild")
          .map((variable) => ({
            variable,
            value: set.get(variable.Id) ?? (variable.Default as Value),
            isSet: set.has(variable.Id),
          }));
        if (catalog.data && lines.length === 0)
          return <Empty title={text.variables.none} hint={text.variables.noneHint} />;
        return (
          <>
            <DataTable
              label={text.variables.label}
              columns={columnsOf(may, choose)}
              rows={lines}
              rowKey={({ variable }) => variable.Id}
            />
            {chosen && (
              <SetSheet
                key={chosen.variable.Id}
                guild={guild}
                line={chosen}
                onClose={() => choose(null)}
              />
            )}
          </>
        );
      }}
    </Answered>
  );
}

function columnsOf(may: boolean, choose: (line: Line) => void): Column<Line>[] {
  return [
    { key: "name", title: text.variables.name, cell: ({ variable }) => variable.Name },
    {
      key: "value",
      title: text.variables.value,
      cell: ({ value, isSet }) => (
        <>
          {shown(value)}{" "}
          {!isSet && (
            <Text span size="xs" c="dimmed">
              {text.variables.unset}
            </Text>
          )}
        </>
      ),
    },
    {
      key: "set",
      title: <span className="sr-only">{text.variables.set}</span>,
      numeric: true,
      cell: (line) => (
        <Tooltip label={text.mayNot("players.variables")} disabled={may}>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={text.variables.setOf(line.variable.Name)}
            aria-disabled={!may}
            data-disabled={!may || undefined}
            onClick={() => may && choose(line)}
          >
            {text.variables.set}
          </Button>
        </Tooltip>
      ),
    },
  ];
}

interface SetSheetProps {
  guild: Guild;
  line: Line;
  onClose: () => void;
}

function SetSheet({ guild, line, onClose }: SetSheetProps) {
  const { variable, value } = line;
  const [wanted, want] = useState<Value | undefined>(value);
  const ready = wanted !== value && isValid(variable.Type, wanted);
  return (
    <ChangeSheet
      permission="players.variables"
      opened
      onClose={onClose}
      title={text.variables.title}
      whom={guild.Name}
      subject={{ guild: guild.Id }}
      ready={ready}
      submitLabel={text.variables.submit}
      done={text.variables.done(variable.Name, guild.Name)}
      undoable={canUndo("guilds.variable")}
      preview={
        ready ? (
          <BeforeAfter
            changes={[
              {
                key: variable.Id,
                label: variable.Name,
                before: typeof wanted === "number" ? value : shown(value),
                after: typeof wanted === "number" ? wanted : shown(wanted),
              },
            ]}
          />
        ) : null
      }
      submit={(reason, init) =>
        gk.post("/api/v1/guilds/{guild_id}/variables/{variable_id}", {
          params: { path: { guild_id: guild.Id, variable_id: variable.Id } },
          body: { value: wanted as Value, ...(reason && { reason }) },
          ...init,
        })
      }
    >
      <Editor variable={variable} value={wanted} onValue={want} />
    </ChangeSheet>
  );
}

interface EditorProps {
  variable: VariableEntry;
  value: Value | undefined;
  onValue: (value: Value | undefined) => void;
}

function Editor({ variable, value, onValue }: EditorProps) {
  if (variable.Type === "boolean") {
    return (
      <Switch
        label={variable.Name}
        checked={value === true}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
    );
  }
  if (variable.Type === "string") {
    return (
      <TextInput
        label={variable.Name}
        value={String(value ?? "")}
        data-autofocus
        onChange={(event) => onValue(event.currentTarget.value)}
      />
    );
  }
  return (
    <NumberInput
      label={variable.Name}
      value={typeof value === "number" ? value : ""}
      allowDecimal={variable.Type === "number"}
      thousandSeparator=","
      data-autofocus
      onChange={(typed) => onValue(typed === "" ? undefined : Number(typed))}
    />
  );
}

function shown(value: Value | undefined): string {
  if (typeof value === "boolean") return value ? text.variables.yes : text.variables.no;
  if (typeof value === "number") return value.toLocaleString("en");
  return value ? `“${value}”` : text.variables.empty;
}
