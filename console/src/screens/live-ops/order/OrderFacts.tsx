import type { Order } from "@gamekeeper/client";
import { Code, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Card } from "~/parts/Card";
import { CopyId } from "~/parts/CopyId";
import { Receiver } from "~/parts/orders/marks";
import { priceOf } from "~/parts/orders/order";
import { AccountLink } from "~/parts/people";
import { Fact } from "~/parts/sanctions/SanctionFacts";
import { useMay } from "~/session";
import { text } from "./text";

const words = text.facts;

/** Shop, price, receiver and buyer of an order, and its claim code while it is unclaimed. */
export function OrderFacts({ order }: { order: Order }) {
  const mayLog = useMay("actions.read");
  return (
    <Card title={words.title}>
      <Stack gap="sm">
        <Fact label={words.shop}>{order.Shop}</Fact>
        <Fact label={words.amount}>{priceOf(order) || words.none}</Fact>
        <Fact label={words.receiver}>
          <Receiver order={order} />
        </Fact>
        <Fact label={words.buyer}>
          {order.BuyerName ? <AccountLink name={order.BuyerName} /> : words.none}
        </Fact>
        <Fact label={words.dispute}>
          {order.Dispute ? words.disputes[order.Dispute] : words.none}
        </Fact>
        {order.ClaimCode && (
          <Fact label={words.code}>
            <Group gap={2} component="span">
              <Code>{order.ClaimCode}</Code>
              <CopyId id={order.ClaimCode} what={words.copyCode} />
            </Group>
            <Text size="xs" c="dimmed">
              {words.codeHint}
            </Text>
          </Fact>
        )}
        {mayLog && order.UserName && (
          <Link to="/actions" search={{ user: order.UserName }}>
            {words.log}
          </Link>
        )}
      </Stack>
    </Card>
  );
}
