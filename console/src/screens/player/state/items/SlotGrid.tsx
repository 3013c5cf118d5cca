import { Button, Group, Text, Title } from "@mantine/core";
import { useElementSize, useId } from "@mantine/hooks";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { text } from "../text";
import type { Cell } from "./difference";
import classes from "./Grid.module.css";
import { type Place, useGrid } from "./grid";
import { SlotCell } from "./SlotCell";

const CELL = 56;
const GAP = 4;
/** So many rows of empty slots are drawn below the last item; a bank may have dozens. */
const EMPTY_ROWS = 3;
const MANY = 60;

interface SlotGridProps {
  title: ReactNode;
  /** For a screen reader. */
  label: string;
  place: Place;
  bag?: string;
  cells: Cell[];
  beside?: ReactNode;
}

/** Slots as a game draws them; the arrow keys walk from one to the next. */
export function SlotGrid({ title, label, place, bag, cells, beside }: SlotGridProps) {
  const grid = useGrid();
  const { ref, width } = useElementSize();
  const columns = Math.max(1, Math.floor((width + GAP) / (CELL + GAP)));
  const [current, setCurrent] = useState(0);
  const [showsAll, showAll] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  const used = cells.filter((cell) => cell.held && !cell.isGhost).length;
  const all = Math.ceil(cells.length / columns);
  const filled = Math.ceil((cells.findLastIndex((cell) => cell.held) + 1) / columns);
  const isLarge = cells.length > MANY && all > filled + EMPTY_ROWS;
  const isShort = isLarge && !showsAll && !grid.carried;
  const rows = Array.from({ length: isShort ? filled + EMPTY_ROWS : all }, (_, row) =>
    cells.slice(row * columns, (row + 1) * columns),
  );

  function walk(event: KeyboardEvent) {
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -columns,
      ArrowDown: columns,
      Home: -current,
      End: Math.min(cells.length, rows.length * columns) - 1 - current,
    };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const next = current + step;
    const shown = Math.min(cells.length, rows.length * columns);
    if (next < 0 || next >= shown) return;
    setCurrent(next);
    root.current?.querySelector<HTMLElement>(`[data-slot="${next}"]`)?.focus();
  }

  return (
    <section className={classes.place} aria-labelledby={id}>
      <Group justify="space-between" gap="xs" mb={8}>
        <Group gap={8} align="baseline">
          <Title order={2} size="h3" id={id}>
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {text.places.used(used, cells.length)}
          </Text>
        </Group>
        {beside}
      </Group>
      <div ref={ref}>
        {/* biome-ignore lint/a11y/useSemanticElements: a table laid out as a grid is no table */}
        <div
          ref={root}
          role="grid"
          tabIndex={-1}
          aria-label={label}
          aria-multiselectable={grid.isPast && grid.mayRestore}
          className={classes.grid}
          style={{ gridTemplateColumns: `repeat(${columns}, ${CELL}px)` }}
          onKeyDown={walk}
        >
          {rows.map((row) => (
            // biome-ignore lint/a11y/useSemanticElements: the same
            <div key={row[0]?.slot} role="row" tabIndex={-1} className={classes.row}>
              {row.map((cell) => (
                <SlotCell
                  key={cell.slot}
                  spot={{ place, bag, slot: cell.slot, cell, held: cell.held }}
                  isCurrent={cell.slot === current}
                  onCurrent={() => setCurrent(cell.slot)}
                />
              ))}
            </div>
          ))}
        </div>
      </div>
      {isShort && (
        <Button size="compact-sm" variant="default" mt={8} onClick={() => showAll(true)}>
          {text.places.showAll(cells.length)}
        </Button>
      )}
    </section>
  );
}
