import type { Player } from "@gamekeeper/client";
import { Group, NumberInput, Select, Text } from "@mantine/core";
import { useState } from "react";
import { gk } from "~/api";
import type { ChangeInit } from "~/change";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { isMapId, useMaps } from "./maps";
import { NearPlayer } from "./NearPlayer";
import type { SheetProps } from "./sheet";
import { text } from "./text";

const LARGEST_PLACE = 65_535;
const NOWHERE = "00000000-0000-0000-0000-000000000000";

/** In the game the game moves it; outside of it, its sheet says where it is. */
export const warpScope = ({ Online }: Player) => (Online ? "commands" : "players.manage");

/** Move the character: to a place on a map, or to where another one is. */
export function WarpSheet({ player, server, ...sheet }: SheetProps) {
  const [mapId, setMap] = useState(player.MapId === NOWHERE ? null : player.MapId);
  const [typed, setTyped] = useState("");
  const [x, setX] = useState<number | string>(player.X);
  const [y, setY] = useState<number | string>(player.Y);
  // Only the answer about another character names a map that the catalog has not.
  const [near, setNear] = useState<Player | null>(null);
  const names = useMaps(sheet.opened, [player, near]);
  const nameOf = (id: string | null) => (id && (names.get(id) ?? id)) || text.warp.noMap;
  const options = [...names].map(([value, label]) => ({ value, label }));
  if (isMapId(typed) && !names.has(typed)) options.push({ value: typed, label: typed });
  const [toX, toY] = [Number(x), Number(y)];
  const isPlace = [x, y].every((at) => at !== "" && Number.isInteger(Number(at)));
  const isElsewhere = mapId !== player.MapId || toX !== player.X || toY !== player.Y;
  const ready = mapId !== null && isPlace && isElsewhere;

  const params = { path: { key: player.Id } };
  const place = { mapid: mapId ?? "", x: toX, y: toY };

  function move(body: typeof place & { reason?: string }, init: ChangeInit): Promise<unknown> {
    if (player.Online) {
      const command = { kind: "warp" as const, ...body };
      return gk.post("/api/v1/players/{key}/commands", { params, body: command, ...init });
    }
    const sheetOf = { mapname: names.get(place.mapid) ?? "", ...body };
    return gk.post("/api/v1/players/{key}/sheet", { params, body: sheetOf, ...init });
  }

  return (
    <ChangeSheet
      permission={warpScope(player)}
      {...sheet}
      title={text.warp.title}
      whom={text.of(player.Name)}
      inGameOn={server}
      subject={{ player: player.Id }}
      undoable={!player.Online}
      preview={
        ready ? (
          <BeforeAfter
            changes={[
              {
                key: "place",
                label: text.warp.place,
                before: text.warp.at(player.MapName || nameOf(player.MapId), player.X, player.Y),
                after: text.warp.at(nameOf(mapId), toX, toY),
              },
            ]}
          />
        ) : null
      }
      ready={ready}
      submitLabel={text.warp.title}
      done={text.warp.done(player.Name, nameOf(mapId))}
      submit={(reason, init) => move(reason ? { ...place, reason } : place, init)}
    >
      <Text size="sm">{player.Online ? text.warp.online : text.warp.offline}</Text>
      <NearPlayer
        except={player.Id}
        error={near?.MapId === NOWHERE ? text.warp.nearNowhere(near.Name) : undefined}
        onPick={(other) => {
          setNear(other);
          if (other.MapId === NOWHERE) return;
          setMap(other.MapId);
          setX(other.X);
          setY(other.Y);
        }}
      />
      <Select
        label={text.warp.map}
        description={text.warp.mapHint}
        nothingFoundMessage={text.warp.mapNone}
        data={options}
        value={mapId}
        searchable
        required
        allowDeselect={false}
        maxDropdownHeight={280}
        limit={100}
        onSearchChange={(words) => setTyped(words.trim().toLowerCase())}
        onChange={setMap}
      />
      <Group grow>
        <Coordinate label={text.warp.x} value={x} onChange={setX} />
        <Coordinate label={text.warp.y} value={y} onChange={setY} />
      </Group>
    </ChangeSheet>
  );
}

interface CoordinateProps {
  label: string;
  value: number | string;
  onChange: (value: number | string) => void;
}

function Coordinate(props: CoordinateProps) {
  return <NumberInput {...props} min={0} max={LARGEST_PLACE} allowDecimal={false} required />;
}
