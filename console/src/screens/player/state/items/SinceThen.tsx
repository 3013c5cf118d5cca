import { Button, Checkbox, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { ItemTile } from "~/parts/ItemTile";
import { Quantity } from "~/parts/Quantity";
import { text } from "../text";
import classes from "./Grid.module.css";
import { canTick, type Spot, spotKey } from "./grid";
import { SIGNS } from "./SlotCell";

interface SinceThenProps {
  spots: Spot[];
  ticked: ReadonlySet<string>;
  onTick: (spots: Spot[], isTicked: boolean) => void;
  onRestore: () => void;
  /** Why nothing can be brought back, if so. */
  refusal: string | undefined;
}

/** What differs from now, in words; what is lost can be ticked to come back. */
export function SinceThen({ spots, ticked, onTick, onRestore, refusal }: SinceThenProps) {
  const lost = spots.filter((spot) => spot.cell.lost > 0);
  const others = spots.filter(
    ({ cell }) => cell.mark === "new" || (cell.mark === "changed" && cell.lost === 0),
  );
  const moved = spots.filter(({ cell }) => cell.mark === "moved" && !cell.isGhost).length;
  const tickable = lost.filter(canTick);
  const count = tickable.filter((spot) => ticked.has(spotKey(spot))).length;
  const isAll = count === tickable.length && count > 0;
  return (
    <Paper withBorder p="md" component="section" aria-label={text.since.title}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h3">
            {text.since.title}
          </Title>
          {tickable.length > 1 && (
            <Button size="compact-sm" variant="default" onClick={() => onTick(tickable, !isAll)}>
              {isAll ? text.since.untickAll : text.since.tickAll}
            </Button>
          )}
        </Group>
        {lost.length + others.length + moved === 0 && <Text c="dimmed">{text.since.none}</Text>}
        {lost.length > 0 && (
          <Stack gap={4}>
            {lost.map((spot) => (
              <Lost
                key={spotKey(spot)}
                spot={spot}
                isTicked={ticked.has(spotKey(spot))}
                onTick={(isTicked) => onTick([spot], isTicked)}
              />
            ))}
          </Stack>
        )}
        {tickable.length > 0 && (
          <Button onClick={onRestore} disabled={count === 0 || refusal !== undefined} fullWidth>
            {text.since.restore(count)}
          </Button>
        )}
        {tickable.length > 0 && (refusal || count === 0) && (
          <Text size="sm" c="dimmed">
            {refusal ?? text.since.hint}
          </Text>
        )}
        {others.length > 0 && <Others spots={others} />}
        {moved > 0 && (
          <Text size="sm" c="dimmed">
            {text.since.moved(moved)}
          </Text>
        )}
        <Legend />
      </Stack>
    </Paper>
  );
}

interface LostProps {
  spot: Spot;
  isTicked: boolean;
  onTick: (isTicked: boolean) => void;
}

function Lost({ spot, isTicked, onTick }: LostProps) {
  const { held, cell } = spot;
  if (!held) return null;
  const name = held.ItemName ?? "";
  return (
    <Group gap="sm" wrap="nowrap" component="label" py={4}>
      <Checkbox
        checked={isTicked}
        disabled={!canTick(spot)}
        aria-label={`${text.item.tick}: ${name}`}
        onChange={(event) => onTick(event.currentTarget.checked)}
      />
      <ItemTile id={held.ItemId} name={name} size={32} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" fw={600} lh={1.3}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {text.places.slot(text.places[spot.place], spot.slot)}
        </Text>
      </div>
      <Text size="sm">
        <Quantity change={-cell.lost} />
      </Text>
    </Group>
  );
}

function Others({ spots }: { spots: Spot[] }) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {text.since.others}
      </Text>
      <Stack gap={4}>
        {spots.map((spot) => (
          <Group key={spotKey(spot)} gap="sm" wrap="nowrap">
            <ItemTile id={spot.held?.ItemId ?? ""} name={spot.held?.ItemName} size={24} />
            <Text size="sm" flex={1}>
              {spot.held?.ItemName}
            </Text>
            <Text size="sm">
              <Quantity change={sinceThen(spot)} />
            </Text>
          </Group>
        ))}
      </Stack>
    </div>
  );
}

/** How many more lie in the slot now than then. */
function sinceThen({ cell, held }: Spot): number {
  return (cell.now?.Quantity ?? 0) - (cell.isGhost ? 0 : (held?.Quantity ?? 0));
}

function Legend() {
  return (
    <Group gap="xs" role="note" aria-label={text.marks.legend}>
      {(["gone", "changed", "moved", "new"] as const).map((mark) => (
        <Group key={mark} gap={4} wrap="nowrap">
          <span className={`${classes.sign} ${classes[mark]}`}>{SIGNS[mark]}</span>
          <Text size="xs" c="dimmed">
            {text.marks[mark]}
          </Text>
        </Group>
      ))}
    </Group>
  );
}
