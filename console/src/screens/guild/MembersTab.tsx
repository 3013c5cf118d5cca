import type { Guild, GuildMember } from "@gamekeeper/client";
import { Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { get } from "~/api";
import { type Column, DataTable } from "~/parts/DataTable";
import { Pager } from "~/parts/Pager";
import { PlayerLink } from "~/parts/people";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { MemberMenu } from "./changes/MemberMenu";
import { text } from "./text";

const PAGE_SIZE = 50;
const SHORTEST = 2;

/** Who belongs to the guild, the owner first. */
export function MembersTab({ guild }: { guild: Guild }) {
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), 200);
  const [page, setPage] = useState(0);
  const navigate = useNavigate();
  const may = useMay("guilds.manage");
  const wanted = search.length >= SHORTEST ? { search } : {};
  const query = { page, pageSize: PAGE_SIZE, sortBy: "guildrank", ...wanted };
  const members = useQuery({
    ...get("/api/v1/guilds/{guild_id}/members", {
      params: { path: { guild_id: guild.Id }, query },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack>
      {(guild.Members ?? 0) > 10 && (
        <TextInput
          aria-label={text.members.search}
          placeholder={text.members.placeholder}
          description={search.length === 1 ? text.members.tooShort : undefined}
          leftSection={<IconSearch size={16} />}
          value={typed}
          maxLength={64}
          maw={280}
          type="search"
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setPage(0);
          }}
        />
      )}
      <Answered query={members}>
        {(found) =>
          found.Total === 0 ? (
            <Empty
              title={search ? text.members.noMatch(search) : text.members.empty}
              hint={search ? text.members.noMatchHint : text.members.emptyHint}
            />
          ) : (
            <>
              <DataTable
                label={text.members.label}
                columns={columnsOf(guild, may)}
                rows={found.Values}
                rowKey={(member) => member.Id}
                onOpen={({ Name }) =>
                  void navigate({ to: "/players/$key", params: { key: Name }, search: {} })
                }
              />
              {found.Total > PAGE_SIZE && (
                <Pager page={page} pageSize={PAGE_SIZE} total={found.Total} onPage={setPage} />
              )}
            </>
          )
        }
      </Answered>
    </Stack>
  );
}

function columnsOf(guild: Guild, may: boolean): Column<GuildMember>[] {
  const menu: Column<GuildMember> = {
    key: "change",
    title: <span className="sr-only">{text.members.change}</span>,
    cell: (member) => <MemberMenu guild={guild} member={member} />,
  };
  return [
    { key: "name", title: text.members.name, cell: (one) => <PlayerLink name={one.Name} /> },
    { key: "rank", title: text.members.rank, cell: (one) => <Rank rank={one.GuildRank} /> },
    {
      key: "level",
      title: text.members.level,
      cell: (one) => `${one.ClassName} ${one.Level}`,
      secondary: true,
    },
    {
      key: "online",
      title: text.members.lastOnline,
      cell: (one) =>
        one.Online ? (
          <Text span inherit fw={600} c="var(--gk-gain)">
            ● {text.members.now}
          </Text>
        ) : (
          <When at={one.LastOnline} />
        ),
    },
    {
      key: "joined",
      title: text.members.joined,
      cell: (one) => <When at={one.GuildJoinDate} />,
      secondary: true,
    },
    ...(may ? [menu] : []),
  ];
}

function Rank({ rank }: { rank: number }) {
  if (rank > 0) return <>{text.rankOf(rank)}</>;
  return <b>{text.owner}</b>;
}
