import type { Order, OrderLine } from "@gamekeeper/client";
import { Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Card } from "~/parts/Card";
import { ItemCount } from "~/parts/ItemCount";
import { LineState } from "~/parts/orders/marks";
import { itemsOf, lineInWords } from "~/parts/orders/order";
import { text as orders } from "~/parts/orders/text";
import { PlayerLink } from "~/parts/people";
import classes from "./order.module.css";
import { text } from "./text";

/** The lines of an order, each with its items, its state, and why it waits. */
export function OrderLines({ order }: { order: Order }) {
  return (
    <Card title={text.lines.title}>
      {order.Lines.length === 0 ? (
        <Text c="dimmed">{text.lines.none}</Text>
      ) : (
        order.Lines.map((line) => <Line key={line.Number} line={line} />)
      )}
    </Card>
  );
}

function Line({ line }: { line: OrderLine }) {
  const items = itemsOf(line);
  return (
    <Stack
      gap="xs"
      className={classes.line}
      component="section"
      aria-label={text.lines.line(line.Number)}
    >
      <Group justify="space-between" gap="xs">
        <Text fw={600}>{lineInWords(line)}</Text>
        <LineState line={line} />
      </Group>
      {items.length > 0 && (
        <ul className={classes.items}>
          {items.map(([id, count]) => (
            <li key={id}>
              <ItemCount id={id} count={count} />
            </li>
          ))}
        </ul>
      )}
      {line.Reason && (
        <Text size="sm" c="dimmed">
          {orders.reasons[line.Reason] ?? line.Reason}
        </Text>
      )}
      {line.PlayerName && (
        <Group gap="xs" fz="sm">
          <span>
            {text.lines.to} <PlayerLink name={line.PlayerName} />
          </span>
          <Link to="/players/$key" params={{ key: line.PlayerName }} search={{ tab: "mailbox" }}>
            {text.lines.letter}
          </Link>
        </Group>
      )}
    </Stack>
  );
}
