import type { Order } from "@gamekeeper/client";
import { Text } from "@mantine/core";
import { IconCircle, IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { get } from "~/api";
import { Card } from "~/parts/Card";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import classes from "./order.module.css";
import { type Moment, storyOf } from "./story";
import { text } from "./text";

const words = text.story;
const MOST_DISPUTES = 20;

/** What happened to an order, oldest first. */
export function OrderStory({ order }: { order: Order }) {
  const mayLog = useMay("actions.read");
  // Of an order without a receiver, no log has the disputes.
  const disputes = useQuery({
    ...get("/api/v1/actions", {
      params: {
        query: { user: order.UserId ?? "", kind: "orders.dispute", limit: MOST_DISPUTES },
      },
    }),
    enabled: mayLog && order.Dispute !== null && order.UserId !== null,
  });
  return (
    <Card title={words.title}>
      <ol className={classes.story} aria-label={words.title}>
        {storyOf(order, disputes.data?.Values ?? []).map((moment) => (
          <Told key={`${moment.what} ${moment.at} ${moment.line}`} moment={moment} />
        ))}
      </ol>
    </Card>
  );
}

const TONES = {
  plain: { icon: IconCircle, color: "var(--mantine-color-dimmed)" },
  good: { icon: IconCircleCheck, color: "var(--gk-gain)" },
  bad: { icon: IconCircleX, color: "var(--gk-loss)" },
};

function Told({ moment: { what, line, at, by, tone } }: { moment: Moment }) {
  const { icon: Icon, color } = TONES[tone];
  return (
    <li className={classes.moment}>
      <Icon size={16} color={color} aria-hidden="true" />
      <div>
        <Text size="sm" fw={550}>
          {what}
          {line !== undefined && ` (${words.line(line)})`}
        </Text>
        <Text size="sm" c="dimmed">
          {at ? <When at={at} span /> : words.timeUnknown}
          {by && ` ${words.by} ${by}`}
        </Text>
      </div>
    </li>
  );
}
