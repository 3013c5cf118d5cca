import type { KnownSpell, Player, SpellEntry } from "@gamekeeper/client";
import { Button, Checkbox, Group, Paper, SimpleGrid, Text, Title, Tooltip } from "@mantine/core";
import { IconPlus, IconSparkles } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { useState } from "react";
import { get } from "~/api";
import { Empty, Failed, Loading } from "~/parts/states";
import { useMay } from "~/session";
import grid from "../items/Grid.module.css";
import { SIGNS } from "../items/SlotCell";
import { text } from "../text";
import { TimeBar } from "../time/TimeBar";
import type { TimeTravel } from "../time/travel";
import { compareSpells, type SpellLine } from "./compare";
import { ForgetSheet, TeachSheet } from "./SpellSheets";
import classes from "./Spells.module.css";

/** The spells a character knows, or knew at an instant. */
export function SpellsTab({ player, travel }: { player: Player; travel: TimeTravel }) {
  const { ask: at, isPending } = travel;
  const path = { key: player.Id };
  const address = "/api/v1/players/{key}/spells";
  const now = useQuery(get(address, { params: { path, query: { names: true } } }));
  const then = useQuery({
    ...get(address, { params: { path, query: { names: true, ...(at && { at }) } } }),
    enabled: at !== undefined && !isPending,
    placeholderData: keepPreviousData,
  });
  const [ticked, setTicked] = useState<{ at: string | undefined; ids: string[] }>({ at, ids: [] });
  const [taught, teach] = useState<KnownSpell[] | null>(null);
  const [forgotten, forget] = useState<KnownSpell | null>(null);
  const may = useMay("players.spells");
  const isPast = travel.at !== undefined;
  const past = at === undefined ? undefined : then.data;
  const error = now.error ?? (isPast ? then.error : null);
  const lines = now.data && (!isPast || past) ? compareSpells(now.data, past) : undefined;
  const catalog = useBound(lines);
  const ids = ticked.at === at ? ticked.ids : [];
  const back = lines?.filter((line) => ids.includes(line.SpellId)) ?? [];
  const gone = lines?.filter((line) => line.mark === "gone").length ?? 0;
  const came = lines?.filter((line) => line.mark === "new").length ?? 0;

  function tick(id: string, isTicked: boolean) {
    setTicked({ at, ids: isTicked ? [...ids, id] : ids.filter((one) => one !== id) });
  }

  return (
    <>
      <TimeBar
        created={player.CreationDate}
        travel={travel}
        summary={isPast && lines ? text.since.summary(gone, came, 0) : undefined}
      />
      {error && <Failed error={error} retry={() => void now.refetch()} />}
      {!error && !lines && <Loading rows={3} height={56} />}
      {!error && lines && (
        <section aria-label={text.spells.title}>
          <Group justify="space-between" mb="sm">
            <Group gap={8} align="baseline">
              <Title order={2} size="h3">
                {text.spells.title}
              </Title>
              <Text size="sm" c="dimmed">
                {text.spells.count(lines.length - came)}
              </Text>
            </Group>
            {isPast ? (
              gone > 0 && (
                <Button disabled={back.length === 0 || !may} onClick={() => teach(back)}>
                  {text.spells.bringBack}
                </Button>
              )
            ) : (
              <Tooltip label={text.item.mayNot("players.spells")} disabled={may}>
                <Button
                  leftSection={<IconPlus size={16} />}
                  data-disabled={!may || undefined}
                  aria-disabled={!may}
                  onClick={() => may && teach([])}
                >
                  {text.spells.teach}
                </Button>
              </Tooltip>
            )}
          </Group>
          {lines.length === 0 ? (
            <Empty
              title={text.spells.none}
              hint={isPast ? text.spells.noneThen : text.spells.noneHint}
            />
          ) : (
            <SimpleGrid
              cols={{ base: 1, xs: 2, md: 3, xl: 4 }}
              spacing="sm"
              component="ul"
              m={0}
              p={0}
            >
              {lines.map((line) => (
                <Line
                  key={line.SpellId}
                  line={line}
                  isBound={catalog.get(line.SpellId)?.Bound ?? false}
                  isTicked={ids.includes(line.SpellId)}
                  onTick={isPast ? (isTicked) => tick(line.SpellId, isTicked) : undefined}
                  onForget={isPast || !may ? undefined : () => forget(line)}
                />
              ))}
            </SimpleGrid>
          )}
        </section>
      )}
      <TeachSheet
        player={player}
        known={now.data ?? []}
        taught={taught}
        onClose={() => teach(null)}
        onDone={() => setTicked({ at, ids: [] })}
      />
      <ForgetSheet player={player} spell={forgotten} onClose={() => forget(null)} />
    </>
  );
}

function useBound(shown: SpellLine[] | undefined): Map<string, SpellEntry> {
  const wanted = shown?.map(({ SpellId }) => SpellId).sort() ?? [];
  const found = useQuery({
    ...get("/api/v1/catalog/spells", {
      params: { query: { ids: wanted.slice(0, 100).join(","), pageSize: 100 } },
    }),
    enabled: wanted.length > 0,
    staleTime: 60_000,
  });
  return new Map(found.data?.Values.map((entry) => [entry.Id, entry]));
}

interface LineProps {
  line: SpellLine;
  isBound: boolean;
  isTicked: boolean;
  onTick: ((isTicked: boolean) => void) | undefined;
  onForget: (() => void) | undefined;
}

function Line({ line, isBound, isTicked, onTick, onForget }: LineProps) {
  const name = line.SpellName ?? "";
  return (
    <Paper
      component="li"
      withBorder
      className={clsx(
        classes.spell,
        line.mark && grid[line.mark],
        line.mark === "new" && classes.pale,
      )}
    >
      {onTick && line.mark === "gone" ? (
        <Checkbox
          checked={isTicked}
          aria-label={text.spells.tick(name)}
          onChange={(event) => onTick(event.currentTarget.checked)}
        />
      ) : (
        <IconSparkles size={20} stroke={1.5} aria-hidden="true" />
      )}
      <div className={classes.name}>
        <Text fw={600} lh={1.3}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {line.mark ? text.marks[line.mark] : text.spells.slot(line.Slot)}
          {isBound && ` · ${text.spells.bound}`}
        </Text>
      </div>
      {line.mark && <span className={grid.sign}>{SIGNS[line.mark]}</span>}
      {onForget && !isBound && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={text.spells.forgetLabel(name)}
          onClick={onForget}
        >
          {text.spells.forget}
        </Button>
      )}
    </Paper>
  );
}
