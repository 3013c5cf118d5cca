import type { DeliveryDetail, Webhook } from "@gamekeeper/client";
import { Button, Drawer, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, gk } from "~/api";
import { carryOut } from "~/change";
import { grouped } from "~/format";
import { kindLabel } from "~/parts/actions/kinds";
import { CopyId } from "~/parts/CopyId";
import { Fact } from "~/parts/sanctions/SanctionFacts";
import { Answered } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { toastDone, toastFailed } from "~/toasts";
import { CodeBlock } from "./CodeBlock";
import { DeliveryState } from "./Deliveries";
import { text } from "./text";
import { faultInWords } from "./webhook";

const SOON = 2_000;

interface DeliverySheetProps {
  hook: Webhook;
  id: string;
  onClose: () => void;
}

/** One delivery: what was sent, what came back, and once more. */
export function DeliverySheet({ hook, id, onClose }: DeliverySheetProps) {
  const isPhone = useMediaQuery("(max-width: 48em)");
  const may = useMay("events.read");
  const path = { id: hook.Id, delivery_id: id };
  const delivery = useQuery({
    ...get("/api/v1/webhooks/{id}/deliveries/{delivery_id}", { params: { path } }),
    enabled: may,
    refetchInterval: ({ state }) => (state.data?.State === "waiting" ? SOON : false),
  });
  const title = delivery.data
    ? delivery.data.Seq === null
      ? text.deliveries.test
      : kindLabel(delivery.data.Kind)
    : text.deliveries.title;
  return (
    <Drawer
      opened
      onClose={onClose}
      title={
        <Title order={2} component="span">
          {title}
        </Title>
      }
      position={isPhone ? "bottom" : "right"}
      size={isPhone ? "90%" : "lg"}
      closeButtonProps={{ "aria-label": text.close }}
    >
      {may ? (
        <Answered query={delivery}>
          {(found) => <Detail hook={hook} delivery={found} onClose={onClose} />}
        </Answered>
      ) : (
        <Text c="dimmed">{text.deliveries.mayNotPayload}</Text>
      )}
    </Drawer>
  );
}

interface DetailProps {
  hook: Webhook;
  delivery: DeliveryDetail;
  onClose: () => void;
}

function Detail({ hook, delivery, onClose }: DetailProps) {
  const [busy, setBusy] = useState(false);
  async function again() {
    setBusy(true);
    try {
      const params = { path: { id: hook.Id } };
      // A test has no event that could be sent again: another test is the same.
      await carryOut((init) =>
        delivery.Seq === null
          ? gk.post("/api/v1/webhooks/{id}/test", { params, ...init })
          : gk.post("/api/v1/webhooks/{id}/replay", {
              params,
              body: { delivery: delivery.Id },
              ...init,
            }),
      );
      toastDone(text.deliveries.sentAgain);
      onClose();
    } catch (error) {
      toastFailed(error);
    } finally {
      setBusy(false);
    }
  }
  const status = delivery.Status === null ? text.deliveries.noAnswer : String(delivery.Status);
  return (
    <Stack>
      <SimpleGrid cols={2}>
        <Fact label={text.deliveries.state}>
          <Group gap={4}>
            <DeliveryState state={delivery.State} />
            <CopyId id={delivery.MessageId} what={text.deliveries.id} />
          </Group>
        </Fact>
        <Fact label={text.deliveries.attempts}>{grouped(delivery.Attempts)}</Fact>
        <Fact label={text.deliveries.tried}>
          {delivery.TriedAt ? <When at={delivery.TriedAt} /> : text.deliveries.notYet}
        </Fact>
        <Fact label={text.deliveries.answer}>
          {delivery.Fault ? faultInWords(delivery.Fault) : status}
        </Fact>
      </SimpleGrid>
      {delivery.Status !== null &&
        (delivery.Answer ? (
          <CodeBlock code={delivery.Answer} label={text.deliveries.answer} />
        ) : (
          <Text size="sm" c="dimmed">
            {text.deliveries.emptyAnswer}
          </Text>
        ))}
      <Fact label={text.deliveries.payload}>
        <CodeBlock
          code={JSON.stringify(delivery.Payload, null, 2)}
          label={text.deliveries.payload}
        />
      </Fact>
      <Group justify="flex-end">
        <Button leftSection={<IconRefresh size={16} />} loading={busy} onClick={() => void again()}>
          {text.deliveries.again}
        </Button>
      </Group>
    </Stack>
  );
}
