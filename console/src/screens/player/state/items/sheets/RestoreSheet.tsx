import type { HandedOn, Player, RestoreResult } from "@gamekeeper/client";
import { Box, List, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { gk } from "~/api";
import { withSecondFactor } from "~/change";
import { exact, grouped, signed } from "~/format";
import { useItem } from "~/items";
import { BeforeAfter, type Change } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { When } from "~/parts/When";
import { useTimeZone } from "~/preferences";
import { text } from "../../text";
import { rounded } from "../../time/moments";
import { useServerOf } from "../../useServer";
import classes from "../Grid.module.css";
import { type Spot, spotKey } from "../grid";
import { OwnerLink } from "../OwnerLink";

interface RestoreSheetProps {
  player: Player;
  at: string;
  /** The instant that was asked for; nothing changed between it and `at`. */
  asked: string;
  /** What was ticked. */
  spots: Spot[];
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Bring lost items back; a dry run says what would come back, and where to. */
export function RestoreSheet({
  player,
  at,
  asked,
  spots,
  opened,
  onClose,
  onDone,
}: RestoreSheetProps) {
  const [zone] = useTimeZone();
  const params = { path: { key: player.Id } };
  const slots = spots.map(({ place, slot }) => ({
    place: place === "bank" ? ("bank" as const) : ("inventory" as const),
    slot,
  }));
  const trial = useQuery({
    queryKey: ["restore", player.Id, at, spots.map(spotKey)],
    queryFn: () =>
      withSecondFactor(() =>
        gk.post("/api/v1/players/{key}/items/restore", {
          params,
          body: { at, slots, dryrun: true },
        }),
      ),
    enabled: opened && slots.length > 0,
    staleTime: 0,
    retry: false,
  });
  const back = trial.data?.Values ?? [];
  const count = back.length;
  return (
    <ChangeSheet
      permission="players.items"
      opened={opened}
      onClose={onClose}
      title={text.sheet.restore}
      whom={`${text.sheet.whom(player.Name)}. ${text.time.asAt(exact(rounded(asked), zone), zone)}.`}
      inGameOn={useServerOf(player, opened)}
      subject={{ player: player.Id }}
      ready={count > 0}
      submitLabel={text.sheet.restoreSubmit}
      done={text.sheet.restored(count, player.Name)}
      previewLoading={trial.isPending}
      previewError={trial.error}
      preview={trial.data && <Outcome result={trial.data} />}
      charge={{ pieces: back.map((one) => ({ item: one.ItemId, count: one.Quantity })) }}
      submit={async (reason, init) => {
        await gk.post("/api/v1/players/{key}/items/restore", {
          params,
          body: { at, slots, ...(reason && { reason }) },
          ...init,
        });
        onDone();
      }}
    />
  );
}

function Outcome({ result }: { result: RestoreResult }) {
  return (
    <>
      {result.Values.length === 0 ? (
        <Text c="dimmed">{text.sheet.restoreNone}</Text>
      ) : (
        <BeforeAfter changes={result.Values.map(changeOf)} />
      )}
      {result.HandedOn.length > 0 && (
        <Box mt="sm" className={classes.aside}>
          <Text size="sm" fw={600} mb={4}>
            {text.sheet.handedOn}
          </Text>
          <List size="sm" spacing={4} mb={4}>
            {result.HandedOn.slice(0, 5).map((one) => (
              <List.Item key={one.ActionId + one.ItemId}>
                <Handed one={one} />
              </List.Item>
            ))}
          </List>
          <Text size="sm">{text.sheet.handedHint}</Text>
        </Box>
      )}
    </>
  );
}

function changeOf(value: RestoreResult["Values"][number]): Change {
  const buffs = value.StatBuffs.flatMap((buff, index) =>
    buff === 0 ? [] : [`${signed(buff)} ${text.stats[index]}`],
  );
  const place = text.places.slot(text.places[value.Place], value.Slot);
  return {
    key: `${value.Place}${value.Slot}${value.FromPlace}${value.FromSlot}`,
    itemId: value.ItemId,
    label: <ItemName id={value.ItemId} />,
    note: [text.sheet.backTo(place), ...buffs].join(" · "),
    before: 0,
    after: value.Quantity,
  };
}

function ItemName({ id }: { id: string }) {
  return useItem(id)?.Name ?? "…";
}

function Handed({ one }: { one: HandedOn }) {
  const item = useItem(one.ItemId);
  return (
    <>
      {grouped(one.Quantity)} × {item?.Name}
      {" → "}
      {one.To.map((owner, index) => (
        <span key={owner.PlayerId ?? owner.GuildId}>
          {index > 0 && ", "}
          <OwnerLink owner={owner}>{owner.Name ?? text.origin.somebody}</OwnerLink>
        </span>
      ))}{" "}
      <When at={one.At} c="dimmed" span />
    </>
  );
}
