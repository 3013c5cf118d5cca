import type { Player, User } from "@gamekeeper/client";
import { Group, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { get } from "~/api";
import { duration } from "~/format";
import { type Column, DataTable } from "~/parts/DataTable";
import { MayButton } from "~/parts/MayButton";
import { PlayerLink } from "~/parts/people";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { CreateSheet } from "./CreateSheet";
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
  const [creating, setCreating] = useState(false);
  const may = useMay("players.manage");
  const players = useQuery(
    get("/api/v1/users/{key}/players", { params: { path: { key: user.Name } } }),
  );
  return (
    <Stack>
      <Group justify="flex-end">
        <MayButton
          variant="default"
          refusal={may ? null : text.create.mayNot}
          leftSection={<IconPlus size={16} />}
          onClick={() => setCreating(true)}
        >
          {text.create.title}
        </MayButton>
      </Group>
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
      {creating && <CreateSheet user={user} onClose={() => setCreating(false)} />}
    </Stack>
  );
}
