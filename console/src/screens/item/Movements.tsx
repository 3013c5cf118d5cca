import type { ItemMovement } from "@gamekeeper/client";
import { Anchor, Group, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { get } from "~/api";
import { type Column, DataTable } from "~/parts/DataTable";
import { PlayerLink } from "~/parts/people";
import { Quantity } from "~/parts/Quantity";
import { Answered } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import classes from "./Item.module.css";
import { percent } from "./percent";
import { type Maker, makersOf } from "./supply";
import { text } from "./text";

const DAY = 86_400_000;
const KEPT = 92;
const SHOWN = 25;

interface MovementsProps {
  item: string;
  /** The day that is looked at; undefined: all. */
  day: string | undefined;
  onAll: () => void;
}

/** The largest movements, of one day or of all: who got them, and how. */
export function Movements({ item, day, onAll }: MovementsProps) {
  const ago = day ? Math.floor((Date.now() - Date.parse(day)) / DAY) + 1 : 30;
  const movements = useQuery({
    ...get("/api/v1/economy/items/{item_id}/movements", {
      params: {
        path: { item_id: item },
        query: { days: Math.min(KEPT, Math.max(1, ago)), limit: 100 },
      },
    }),
    placeholderData: keepPreviousData,
  });
  const may = useMay("actions.read");
  return (
    <section id="movements">
      <Group justify="space-between" mb={8}>
        <Title order={2}>{day ? text.movementsOf(day) : text.movements}</Title>
        <Group gap="md">
          {day && may && <DayActions item={item} day={day} />}
          {day && (
            <Anchor component="button" type="button" size="sm" onClick={onAll}>
              {text.allDays}
            </Anchor>
          )}
        </Group>
      </Group>
      <Answered query={movements}>
        {(data) => {
          const rows = data.Values.filter((one) => !day || one.At.startsWith(day));
          if (rows.length === 0) return <Text c="dimmed">{text.noMovements}</Text>;
          return (
            <>
              {day && <Makers makers={makersOf(rows)} />}
              <DataTable
                label={text.movements}
                columns={COLUMNS}
                rows={rows.slice(0, SHOWN)}
                rowKey={(row) => `${row.ActionId} ${row.PlayerId} ${row.Source}`}
              />
              <Text size="xs" c="dimmed" mt={4}>
                {text.movementsNote}
              </Text>
            </>
          );
        }}
      </Answered>
    </section>
  );
}

function DayActions({ item, day }: { item: string; day: string }) {
  const search = { item, from: `${day}T00:00:00Z`, to: `${day}T23:59:59Z` };
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to="/actions" search={search} {...props} />}>
      {text.dayActions}
    </Anchor>
  );
}

/** Who made it: to whom most of that day came. */
function Makers({ makers }: { makers: Maker[] }) {
  const all = makers.reduce((sum, maker) => sum + maker.came, 0);
  if (all === 0) return null;
  return (
    <>
      <Text size="sm" c="dimmed">
        {text.makers}
      </Text>
      <ul className={classes.makers}>
        {makers.slice(0, 5).map((maker) => (
          <li key={maker.id}>
            <b>{maker.name ? <PlayerLink name={maker.name} /> : text.gone}</b>{" "}
            <Quantity change={maker.came} />{" "}
            <Text span size="sm" c="dimmed">
              {text.makersShare(percent(maker.came, all))}
            </Text>
          </li>
        ))}
      </ul>
    </>
  );
}

const COLUMNS: Column<ItemMovement>[] = [
  {
    key: "who",
    title: text.who,
    cell: (row) => (row.PlayerName ? <PlayerLink name={row.PlayerName} /> : text.gone),
  },
  {
    key: "quantity",
    title: text.quantity,
    numeric: true,
    cell: (row) => <Quantity change={row.Quantity} />,
  },
  { key: "how", title: text.how, cell: (row) => text.sources[row.Source] ?? row.Source },
  { key: "when", title: text.when, cell: (row) => <When at={row.At} /> },
  {
    key: "action",
    title: text.openAction,
    secondary: true,
    cell: (row) => (
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/actions" search={{ id: row.ActionId }} {...props} />}
      >
        {text.openAction}
      </Anchor>
    ),
  },
];
