import type { Order } from "@gamekeeper/client";
import { Button, Group, Menu } from "@mantine/core";
import { IconArrowBackUp, IconChevronDown, IconDownload, IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";
import { get, queries } from "~/api";
import { MayButton } from "~/parts/MayButton";
import { save } from "~/save";
import { useMay } from "~/session";
import { toastFailed } from "~/toasts";
import { AssignSheet } from "./AssignSheet";
import { DisputeSheet } from "./DisputeSheet";
import { RefundSheet, refundable } from "./RefundSheet";
import { text } from "./text";

type Verdict = NonNullable<Order["Dispute"]>;
type Opened = "assign" | "refund" | Verdict;

/** The verdicts that the service would still take: the first one is final. */
function verdictsFor({ Dispute }: Order): Verdict[] {
  if (Dispute === null) return ["open", "won", "lost"];
  return Dispute === "open" ? ["won", "lost"] : [];
}

/** What staff can do with an order. */
export function OrderActions({ order }: { order: Order }) {
  const may = useMay("orders.manage");
  const [opened, setOpened] = useState<Opened | null>(null);
  const refusal = may ? null : text.mayNot;
  const verdicts = verdictsFor(order);
  const close = () => setOpened(null);
  return (
    <Group gap="xs">
      <ReceiptButton order={order} />
      {may && verdicts.length > 0 && (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <Button
              variant="default"
              rightSection={<IconChevronDown size={16} />}
              aria-label={text.dispute.menuLabel}
            >
              {text.dispute.menu}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {verdicts.map((verdict) => (
              <Menu.Item key={verdict} onClick={() => setOpened(verdict)}>
                {text.dispute.title[verdict]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {refundable(order).length > 0 && (
        <MayButton
          variant="default"
          refusal={refusal}
          leftSection={<IconArrowBackUp size={16} />}
          onClick={() => setOpened("refund")}
        >
          {text.refund.button}
        </MayButton>
      )}
      {order.UserId === null && order.Lines.length > 0 && (
        <MayButton
          refusal={refusal}
          leftSection={<IconUserPlus size={16} />}
          onClick={() => setOpened("assign")}
        >
          {text.assign.button}
        </MayButton>
      )}
      {opened === "assign" && <AssignSheet order={order} onClose={close} />}
      {opened === "refund" && <RefundSheet order={order} onClose={close} />}
      {opened && opened !== "assign" && opened !== "refund" && (
        <DisputeSheet order={order} verdict={opened} onClose={close} />
      )}
    </Group>
  );
}

/** The signed receipt as a file: read when it is asked for, as of then. */
function ReceiptButton({ order: { Shop, OrderId } }: { order: Order }) {
  async function download() {
    try {
      const params = { path: { shop: Shop, order_id: OrderId } };
      const receipt = await queries.fetchQuery({
        ...get("/api/v1/orders/{shop}/{order_id}/receipt", { params }),
        staleTime: 0,
      });
      save(text.receipt.file(Shop, OrderId), JSON.stringify(receipt, null, 2), "application/json");
    } catch (error) {
      toastFailed(error, text.receipt.failed);
    }
  }
  return (
    <Button
      variant="default"
      title={text.receipt.hint}
      leftSection={<IconDownload size={16} />}
      onClick={() => void download()}
    >
      {text.receipt.download}
    </Button>
  );
}
