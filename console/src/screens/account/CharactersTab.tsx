import type { Player, User } from "@gamekeeper/client";
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { get } from "~/api";
import { duration } from "~/format";
import { type Column, DataTable } from "~/parts/DataTable";
import { PlayerLink } from "~/parts/people";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { text } from "./text";

const COLUMNS: Column<Player>[] = [
  {
    key: "name",
    title: text.characters.name,
    cell: (one) => <PlayerLink name={one.Name} />,
  },
  {
    key: "level",
    title: text.characters.level,
    cell: (one) => `${one.ClassName} ${one.Level}`,
  },
  {
    key: "where",
    title: text.characters.where,
    cell: (one) =>
      one.Online ? (
        <Text span inherit fw={600} c="var(--gk-gain)">
          ● {text.characters.online}
        </Text>
      ) : (
        <When at={one.LastOnline} />
      ),
  },
  {
    key: "played",
    title: text.characters.played,
    numeric: true,
    secondary: true,
    cell: (one) => duration(one.PlayTimeSeconds),
  },
];

export function CharactersTab({ user }: { user: User }) {
  const navigate = useNavigate();
  const players = useQuery(
    get("/api/v1/users/{key}/players", { params: { path: { key: user.Name } } }),
  );
  return (
    <Answered query={players}>
      {(found) =>
        found.length === 0 ? (
          <Empty title={text.characters.none} hint={text.characters.noneHint} />
        ) : (
          <DataTable
            label={text.characters.label}
            columns={COLUMNS}
            rows={found}
            rowKey={(one) => one.Id}
            onOpen={(one) => void navigate({ to: "/players/$key", params: { key: one.Name } })}
          />
        )
      }
    </Answered>
  );
}
