import type { Guild } from "@gamekeeper/client";
import { Button, Checkbox, Menu, TextInput } from "@mantine/core";
import { IconChevronDown, IconId, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { gk } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { useMay } from "~/session";
import { text } from "../text";
import { canUndo } from "./undoable";

/** What staff may do to a guild. */
export function GuildMenu({ guild }: { guild: Guild }) {
  const may = useMay("guilds.manage");
  const [sheet, open] = useState<"rename" | "disband" | null>(null);
  if (!may) return null;
  const close = () => open(null);
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button
            variant="default"
            rightSection={<IconChevronDown size={16} />}
            aria-label={text.changeLabel}
          >
            {text.change}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconId size={16} />} onClick={() => open("rename")}>
            {text.rename.menu}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => open("disband")}>
            {text.disband.menu}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {sheet === "rename" && <RenameSheet guild={guild} onClose={close} />}
      {sheet === "disband" && <DisbandSheet guild={guild} onClose={close} />}
    </>
  );
}

interface SheetProps {
  guild: Guild;
  onClose: () => void;
}

function RenameSheet({ guild, onClose }: SheetProps) {
  const [typed, setName] = useState(guild.Name);
  const name = typed.trim();
  const ready = name.length >= 3 && name !== guild.Name;
  return (
    <ChangeSheet
      permission="guilds.manage"
      opened
      onClose={onClose}
      title={text.rename.title}
      whom={guild.Name}
      subject={{ guild: guild.Id }}
      ready={ready}
      submitLabel={text.rename.submit}
      done={text.rename.done(guild.Name, name)}
      undoable={canUndo("guilds.rename")}
      preview={
        ready ? (
          <BeforeAfter
            changes={[{ key: "name", label: text.rename.label, before: guild.Name, after: name }]}
          />
        ) : null
      }
      submit={(reason, init) =>
        gk.post("/api/v1/guilds/{guild_id}/name", {
          params: { path: { guild_id: guild.Id } },
          body: { name, ...(reason && { reason }) },
          ...init,
        })
      }
    >
      <TextInput
        label={text.rename.label}
        description={text.rename.hint}
        value={typed}
        maxLength={20}
        required
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </ChangeSheet>
  );
}

function DisbandSheet({ guild, onClose }: SheetProps) {
  const used = guild.BankSlotsUsed ?? 0;
  const [force, setForce] = useState(false);
  return (
    <ChangeSheet
      permission="guilds.manage"
      opened
      onClose={onClose}
      title={text.disband.title}
      whom={guild.Name}
      subject={{ guild: guild.Id }}
      ready={used === 0 || force}
      submitLabel={text.disband.submit}
      done={text.disband.done(guild.Name)}
      undoable={canUndo("guilds.delete")}
      preview={
        <BeforeAfter
          changes={[
            {
              key: "members",
              label: text.disband.members,
              before: guild.Members ?? 0,
              after: 0,
            },
            { key: "slots", label: text.disband.slots, before: used, after: 0 },
          ]}
        />
      }
      submit={(reason, { headers }) =>
        gk.delete("/api/v1/guilds/{guild_id}", {
          params: { path: { guild_id: guild.Id }, query: { force } },
          headers: { ...headers, ...(reason && { "X-Reason": reason }) },
        })
      }
    >
      {used > 0 && (
        <Checkbox
          label={text.disband.bank}
          description={text.disband.bankHint}
          checked={force}
          onChange={(event) => setForce(event.currentTarget.checked)}
        />
      )}
    </ChangeSheet>
  );
}
