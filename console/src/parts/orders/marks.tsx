import type { Order, OrderLine } from "@gamekeeper/client";
import { Group, Text } from "@mantine/core";
import {
  IconArrowBackUp,
  IconCircleCheck,
  IconClock,
  IconGavel,
  IconHelp,
  IconUserQuestion,
  IconX,
} from "@tabler/icons-react";
import { AccountLink, PlayerLink } from "~/parts/people";
import { text } from "./text";

const DIMMED = "var(--mantine-color-dimmed)";

const LOOKS = {
  expected: { icon: IconHelp, color: DIMMED },
  unclaimed: { icon: IconUserQuestion, color: "var(--gk-changed)" },
  waiting: { icon: IconClock, color: "var(--gk-changed)" },
  delivered: { icon: IconCircleCheck, color: "var(--gk-gain)" },
  disputed: { icon: IconGavel, color: "var(--gk-loss)" },
  refunded: { icon: IconArrowBackUp, color: DIMMED },
};

const LINE_LOOKS = {
  waiting: LOOKS.waiting,
  delivered: LOOKS.delivered,
  cancelled: { icon: IconX, color: DIMMED },
  returned: LOOKS.refunded,
  lost: { icon: IconX, color: "var(--gk-loss)" },
};

function Mark({ look, word }: { look: (typeof LOOKS)[Order["State"]]; word: string }) {
  const { icon: Icon, color } = look;
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <Icon size={16} color={color} aria-hidden="true" style={{ flex: "none" }} />
      <Text span size="sm" fw={550} c={color}>
        {word}
      </Text>
    </Group>
  );
}

/** The state of an order: a word, with a shape of its own. */
export function OrderState({ state }: { state: Order["State"] }) {
  return <Mark look={LOOKS[state]} word={text.states[state]} />;
}

/** The state of a line; one that was claimed says so. */
export function LineState({ line }: { line: OrderLine }) {
  const isClaimed = line.State === "delivered" && line.ClaimedAt !== null;
  return (
    <Mark
      look={LINE_LOOKS[line.State]}
      word={isClaimed ? text.claimed : text.lineStates[line.State]}
    />
  );
}

/** The character and the account that receive an order, or the name that the shop sent. */
export function Receiver({ order }: { order: Order }) {
  const player = order.PlayerName ?? order.Lines.find((line) => line.PlayerName)?.PlayerName;
  if (player && order.UserName) {
    return (
      <span>
        <PlayerLink name={player} />{" "}
        <Text span inherit c="dimmed">
          (<AccountLink name={order.UserName} />)
        </Text>
      </span>
    );
  }
  if (order.UserName) return <AccountLink name={order.UserName} />;
  return (
    <Text span inherit c="dimmed">
      {order.Receiver ? text.unknownReceiver(order.Receiver) : text.none}
    </Text>
  );
}
