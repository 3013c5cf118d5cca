import type { Player } from "@gamekeeper/client";
import { Button, Menu, Tooltip } from "@mantine/core";
import {
  IconChevronDown,
  IconDoorExit,
  IconFriends,
  IconGift,
  IconHandGrab,
  IconId,
  IconMapPin,
  IconMessage2,
  IconSkull,
  IconStairsUp,
  IconTrash,
} from "@tabler/icons-react";
import { useState } from "react";
import { useMe } from "~/session";
import { ClassSheet } from "./ClassSheet";
import { CommandSheet } from "./CommandSheet";
import { DeleteSheet } from "./DeleteSheet";
import { GiveSheet } from "./GiveSheet";
import { LevelSheet } from "./LevelSheet";
import { RenameSheet } from "./RenameSheet";
import type { SheetProps } from "./sheet";
import { TakeSheet } from "./TakeSheet";
import { text } from "./text";
import { WarpSheet, warpScope } from "./WarpSheet";

const CHANGES = [
  { name: "take", icon: IconHandGrab, scope: "players.items" },
  { name: "level", icon: IconStairsUp, scope: "players.manage" },
  { name: "rename", icon: IconId, scope: "players.manage" },
  { name: "class", icon: IconFriends, scope: "players.manage" },
  { name: "warp", icon: IconMapPin, scope: warpScope },
  { name: "message", icon: IconMessage2, scope: "commands" },
  { name: "kick", icon: IconDoorExit, scope: "commands" },
  { name: "kill", icon: IconSkull, scope: "commands" },
  { name: "delete", icon: IconTrash, scope: "players.manage" },
] as const;

/** Commands to the live game need a character that is in it. */
const NEEDS_ONLINE = new Set(["kick", "kill"]);

type Name = "give" | (typeof CHANGES)[number]["name"];

/** What staff may do to a character: the gift at hand, the rest in a menu. */
export function ChangeMenu({ player, server }: { player: Player; server: string | undefined }) {
  const { Scopes } = useMe();
  const [name, setName] = useState<Name | null>(null);
  const [opened, setOpened] = useState(false);
  const [times, setTimes] = useState(0);
  const mayGive = Scopes.includes("players.items");
  const allowed = CHANGES.filter(({ scope }) =>
    Scopes.includes(typeof scope === "string" ? scope : scope(player)),
  );

  function open(next: Name) {
    setName(next);
    setTimes(times + 1);
    setOpened(true);
  }

  return (
    <>
      <Button.Group>
        <Tooltip label={text.mayNot("players.items")} disabled={mayGive}>
          <Button
            leftSection={<IconGift size={16} />}
            data-disabled={!mayGive || undefined}
            aria-disabled={!mayGive}
            onClick={() => mayGive && open("give")}
          >
            {text.give.title}
          </Button>
        </Tooltip>
        {allowed.length > 0 && (
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <Button
                variant="default"
                rightSection={<IconChevronDown size={16} />}
                aria-label={text.menuLabel}
              >
                {text.menu}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {allowed.map(({ name: change, icon: Icon }) => (
                <Menu.Item
                  key={change}
                  leftSection={<Icon size={16} />}
                  {...(change === "delete" && { color: "red" })}
                  disabled={NEEDS_ONLINE.has(change) && !player.Online}
                  onClick={() => open(change)}
                >
                  {text[change].title}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </Button.Group>
      {name && (
        <Sheet
          key={times}
          name={name}
          player={player}
          server={server}
          opened={opened}
          onClose={() => setOpened(false)}
        />
      )}
    </>
  );
}

/** Each sheet begins anew when it is opened: what was typed before belongs to the past. */
function Sheet({ name, ...sheet }: SheetProps & { name: Name }) {
  if (name === "give") return <GiveSheet {...sheet} />;
  if (name === "take") return <TakeSheet {...sheet} />;
  if (name === "level") return <LevelSheet {...sheet} />;
  if (name === "rename") return <RenameSheet {...sheet} />;
  if (name === "class") return <ClassSheet {...sheet} />;
  if (name === "warp") return <WarpSheet {...sheet} />;
  if (name === "delete") return <DeleteSheet {...sheet} />;
  return <CommandSheet kind={name} {...sheet} />;
}
