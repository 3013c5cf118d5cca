import type { Player } from "@gamekeeper/client";
import { Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { duration, grouped } from "~/format";
import type { Column } from "~/parts/DataTable";
import { AccountLink, ServerLink } from "~/parts/people";
import { When } from "~/parts/When";
import classes from "./Players.module.css";
import { text } from "./text";

export type ColumnName = keyof typeof text.names;

/** All columns but the name, which is always there. */
export const CHOICES = Object.keys(text.names).filter((one) => one !== "name") as ColumnName[];
export const SHOWN: ColumnName[] = ["class", "level", "account", "server", "where", "lastOnline"];

/** The columns of the table, those that are chosen. */
export function columnsOf(chosen: readonly ColumnName[]): Column<Player>[] {
  return ALL.filter((column) => column.key === "name" || chosen.includes(column.key));
}

const ALL: (Column<Player> & { key: ColumnName })[] = [
  { key: "name", title: text.names.name, cell: (player) => <Name player={player} /> },
  { key: "class", title: text.names.class, cell: (player) => player.ClassName, secondary: true },
  {
    key: "level",
    title: text.names.level,
    numeric: true,
    cell: (player) => grouped(player.Level),
    secondary: true,
  },
  {
    key: "account",
    title: text.names.account,
    cell: ({ AccountName }) => (AccountName ? <AccountLink name={AccountName} /> : text.offline),
    secondary: true,
  },
  {
    key: "server",
    title: text.names.server,
    cell: ({ ServerName }) =>
      ServerName ? <ServerLink name={ServerName} /> : <Text c="dimmed">{text.offline}</Text>,
    secondary: true,
  },
  { key: "where", title: text.names.where, cell: (player) => <Where player={player} /> },
  {
    key: "lastOnline",
    title: text.names.lastOnline,
    cell: (player) => (player.Online ? text.now : <When at={player.LastOnline} />),
    secondary: true,
  },
  {
    key: "played",
    title: text.names.played,
    numeric: true,
    cell: (player) => duration(player.PlayTimeSeconds),
    secondary: true,
  },
  {
    key: "created",
    title: text.names.created,
    cell: (player) => <When at={player.CreationDate} />,
    secondary: true,
  },
];

/** On a phone the class and the level stand below the name. */
function Name({ player }: { player: Player }) {
  return (
    <>
      <Link
        to="/players/$key"
        params={{ key: player.Name }}
        className={classes.name}
        tabIndex={-1}
        onClick={(event) => event.stopPropagation()}
      >
        {player.Name}
      </Link>
      <Text size="xs" c="dimmed" className={classes.below}>
        {player.ClassName}, {text.level(player.Level)}
      </Text>
    </>
  );
}

function Where({ player }: { player: Player }) {
  if (!player.Online) {
    return (
      <Text size="sm" c="dimmed">
        <span className={classes.narrow}>
          <When at={player.LastOnline} />
        </span>
        <span className={classes.wide}>{text.offline}</span>
      </Text>
    );
  }
  return (
    <Group gap={6} wrap="nowrap">
      <span className={classes.dot} aria-hidden="true" />
      <span>{player.MapName || text.online}</span>
    </Group>
  );
}
