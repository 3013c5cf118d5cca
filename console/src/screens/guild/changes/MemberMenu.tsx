import type { Guild, GuildMember } from "@gamekeeper/client";
import { ActionIcon, Menu, NumberInput } from "@mantine/core";
import { IconCrown, IconDoorExit, IconDots, IconStairs } from "@tabler/icons-react";
import { useState } from "react";
import { gk } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { text } from "../text";
import { canUndo } from "./undoable";

interface MemberProps {
  guild: Guild;
  member: GuildMember;
}

const CHANGES = [
  { name: "rank", icon: IconStairs },
  { name: "transfer", icon: IconCrown },
  { name: "kick", icon: IconDoorExit },
] as const;
type Name = (typeof CHANGES)[number]["name"];

/** What staff may do to a member; the owner must first be another. */
export function MemberMenu({ guild, member }: MemberProps) {
  const [sheet, open] = useState<Name | null>(null);
  if (member.GuildRank === 0) return null;
  const props = { guild, member, onClose: () => open(null) };
  return (
    // The row opens the member's page; what is done here does not.
    // biome-ignore lint/a11y/noStaticElementInteractions: the menu's own controls take the keys
    // biome-ignore lint/a11y/useKeyWithClickEvents: the same
    <div onClick={(event) => event.stopPropagation()}>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={text.members.changeOf(member.Name)}
          >
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {CHANGES.map(({ name, icon: Icon }) => (
            <Menu.Item key={name} leftSection={<Icon size={16} />} onClick={() => open(name)}>
              {text[name].menu}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {sheet === "rank" && <RankSheet {...props} />}
      {sheet === "transfer" && <TransferSheet {...props} />}
      {sheet === "kick" && <KickSheet {...props} />}
    </div>
  );
}

interface SheetProps extends MemberProps {
  onClose: () => void;
}

function RankSheet({ guild, member, onClose }: SheetProps) {
  const [rank, setRank] = useState<number | "">(member.GuildRank);
  const ready = typeof rank === "number" && rank >= 1 && rank !== member.GuildRank;
  return (
    <ChangeSheet
      permission="guilds.manage"
      opened
      onClose={onClose}
      title={text.rank.title}
      whom={text.of(member.Name, guild.Name)}
      subject={{ guild: guild.Id }}
      ready={ready}
      submitLabel={text.rank.submit}
      done={text.rank.done(member.Name)}
      undoable={canUndo("guilds.rank")}
      preview={
        ready ? (
          <BeforeAfter
            changes={[
              {
                key: "rank",
                label: member.Name,
                before: text.rankOf(member.GuildRank),
                after: text.rankOf(rank),
              },
            ]}
          />
        ) : null
      }
      submit={(reason, init) =>
        gk.post("/api/v1/guilds/{guild_id}/rank/{key}", {
          params: { path: { guild_id: guild.Id, key: member.Id } },
          body: { rank: Number(rank), ...(reason && { reason }) },
          ...init,
        })
      }
    >
      <NumberInput
        label={text.rank.label}
        description={text.rank.hint}
        value={rank}
        min={1}
        allowDecimal={false}
        required
        data-autofocus
        onChange={(typed) => setRank(typed === "" ? "" : Number(typed))}
      />
    </ChangeSheet>
  );
}

function TransferSheet({ guild, member, onClose }: SheetProps) {
  return (
    <ChangeSheet
      permission="guilds.manage"
      opened
      onClose={onClose}
      title={text.transfer.title}
      whom={text.of(member.Name, guild.Name)}
      subject={{ guild: guild.Id }}
      ready
      submitLabel={text.transfer.submit}
      done={text.transfer.done(member.Name, guild.Name)}
      undoable={canUndo("guilds.transfer")}
      preview={
        <BeforeAfter
          changes={[
            {
              key: "owner",
              label: text.owner,
              note: text.transfer.former,
              before: guild.Owner?.Name ?? null,
              after: member.Name,
            },
          ]}
        />
      }
      submit={(reason, { headers }) =>
        gk.post("/api/v1/guilds/{guild_id}/transfer/{key}", {
          params: { path: { guild_id: guild.Id, key: member.Id } },
          headers: { ...headers, ...(reason && { "X-Reason": reason }) },
        })
      }
    />
  );
}

function KickSheet({ guild, member, onClose }: SheetProps) {
  return (
    <ChangeSheet
      permission="guilds.manage"
      opened
      onClose={onClose}
      title={text.kick.title}
      whom={text.of(member.Name, guild.Name)}
      subject={{ guild: guild.Id }}
      ready
      submitLabel={text.kick.submit}
      done={text.kick.done(member.Name, guild.Name)}
      undoable={canUndo("guilds.kick")}
      preview={
        <BeforeAfter
          changes={[
            { key: "guild", label: text.kick.member, before: guild.Name, after: null },
            {
              key: "rank",
              label: text.rank.label,
              before: text.rankOf(member.GuildRank),
              after: null,
            },
          ]}
        />
      }
      submit={(reason, { headers }) =>
        gk.post("/api/v1/guilds/{guild_id}/kick/{key}", {
          params: { path: { guild_id: guild.Id, key: member.Id } },
          headers: { ...headers, ...(reason && { "X-Reason": reason }) },
        })
      }
    />
  );
}
