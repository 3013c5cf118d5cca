import type { Player } from "@gamekeeper/client";
import { Button, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { get } from "~/api";
import { Empty, Failed, Loading } from "~/parts/states";
import { useMay } from "~/session";
import { text } from "../text";
import { TimeBar } from "../time/TimeBar";
import type { TimeTravel } from "../time/travel";
import { VariableLine } from "./VariableLine";
import { type Setting, VariableSheet } from "./VariableSheet";
import classes from "./Variables.module.css";
import { isValid, type Value, type Variable, variablesOf } from "./values";

const MANY = 12;

/** The variables of a character: edited in place now, compared and set back at an instant. */
export function VariablesTab({ player, travel }: { player: Player; travel: TimeTravel }) {
  const { ask: at } = travel;
  const isPast = travel.at !== undefined;
  const may = useMay("players.variables");
  const { variables, error } = useVariables(player, travel);
  const [search, setSearch] = useState("");
  const [edits, setEdits] = useState<ReadonlyMap<string, Value | undefined>>(new Map());
  const [ticks, setTicks] = useState<{ at: string | undefined; ids: string[] }>({ at, ids: [] });
  const [settings, set] = useState<Setting[] | null>(null);
  const ids = ticks.at === at ? ticks.ids : [];
  const shown = variables?.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  const edited = (variables ?? []).flatMap((variable) => {
    const after = edits.get(variable.id);
    return edits.has(variable.id) && after !== variable.value ? [{ variable, after }] : [];
  });
  const valid = edited.flatMap(({ variable, after }) =>
    isValid(variable.type, after) ? [{ variable, after }] : [],
  );
  const back = (variables ?? []).flatMap((variable) =>
    ids.includes(variable.id) && variable.was !== undefined
      ? [{ variable, after: variable.was }]
      : [],
  );
  const differ = variables?.filter(isDifferent).length ?? 0;

  return (
    <>
      <TimeBar
        created={player.CreationDate}
        travel={travel}
        summary={isPast && variables ? text.since.summary(0, 0, differ) : undefined}
      />
      {error && <Failed error={error} />}
      {!error && !variables && <Loading rows={5} height={48} />}
      {variables?.length === 0 && (
        <Empty title={text.variables.none} hint={text.variables.noneHint} />
      )}
      {!error && shown && variables && variables.length > 0 && (
        <section aria-label={text.variables.title}>
          <Group justify="space-between" mb="sm">
            <Title order={2} size="h3">
              {text.variables.title}
            </Title>
            {variables.length > MANY && (
              <TextInput
                aria-label={text.variables.search}
                placeholder={text.variables.search}
                leftSection={<IconSearch size={16} />}
                value={search}
                onChange={(event) => setSearch(event.currentTarget.value)}
              />
            )}
          </Group>
          <Paper withBorder component="ul" className={classes.list}>
            {shown.map((variable) => (
              <VariableLine
                key={variable.id}
                variable={variable}
                isPast={isPast}
                may={may}
                edited={edits.has(variable.id) ? { value: edits.get(variable.id) } : null}
                onEdit={(value) => setEdits(new Map(edits).set(variable.id, value))}
                isTicked={ids.includes(variable.id)}
                onTick={(isTicked) =>
                  setTicks({
                    at,
                    ids: isTicked
                      ? [...ids, variable.id]
                      : ids.filter((one) => one !== variable.id),
                  })
                }
              />
            ))}
          </Paper>
        </section>
      )}
      {isPast && differ > 0 && (
        <Bar>
          <Button disabled={back.length === 0 || !may} onClick={() => set(back)}>
            {text.variables.bringBack(back.length)}
          </Button>
          {!may && <Text size="sm">{text.item.mayNot("players.variables")}</Text>}
        </Bar>
      )}
      {!isPast && edited.length > 0 && (
        <Bar>
          <Button disabled={valid.length !== edited.length} onClick={() => set(valid)}>
            {text.variables.save(edited.length)}
          </Button>
          <Button variant="default" onClick={() => setEdits(new Map())}>
            {text.variables.discard}
          </Button>
        </Bar>
      )}
      <VariableSheet
        player={player}
        settings={settings}
        onClose={() => set(null)}
        onDone={() => {
          setEdits(new Map());
          setTicks({ at, ids: [] });
        }}
      />
    </>
  );
}

function Bar({ children }: { children: ReactNode }) {
  return (
    <Stack className={classes.bar}>
      <Group gap="sm">{children}</Group>
    </Stack>
  );
}

function isDifferent({ was, value }: Variable): boolean {
  return was !== undefined && was !== value;
}

function useVariables(player: Player, { ask: at, isPending }: TimeTravel) {
  const path = { key: player.Id };
  const address = "/api/v1/players/{key}/variables";
  const catalog = useQuery({
    ...get("/api/v1/catalog/variables", { params: { query: { pageSize: 100 } } }),
    staleTime: 60_000,
  });
  const now = useQuery(get(address, { params: { path } }));
  const then = useQuery({
    ...get(address, { params: { path, query: at === undefined ? {} : { at } } }),
    enabled: at !== undefined && !isPending,
    placeholderData: keepPreviousData,
  });
  const past = at === undefined ? undefined : then.data;
  const isKnown = catalog.data && now.data && (at === undefined || past);
  return {
    variables: isKnown ? variablesOf(catalog.data.Values, now.data, past) : undefined,
    error: catalog.error ?? now.error ?? (at === undefined ? null : then.error),
  };
}
