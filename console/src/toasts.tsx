import { GamekeeperError } from "@gamekeeper/client";
import { Anchor, Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconCheck, IconClock, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { type Subject, undoRequest } from "~/change";
import { config } from "~/config";
import { text } from "~/text";

const CHANGE_SECONDS = 12;

/** The way back: the undo of a request, or another change that makes it good. */
export type WayBack =
  | { requestId: string; subject: Subject }
  | { label: string; act: () => Promise<unknown>; done: ReactNode; failed: string };

/** A change was carried out: say so, with the way back. */
export function toastDone(message: ReactNode, back?: WayBack) {
  const id = notifications.show({
    color: "moss",
    icon: <IconCheck size={18} />,
    autoClose: CHANGE_SECONDS * 1000,
    closeButtonProps: { "aria-label": text.change.close },
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        {back && (
          <Button variant="light" size="compact-sm" onClick={() => void takeBack(back)}>
            {"label" in back ? back.label : text.change.undo}
          </Button>
        )}
      </Group>
    ),
  });

  async function takeBack(way: WayBack) {
    notifications.hide(id);
    try {
      await ("act" in way ? way.act() : undoRequest(way.requestId, way.subject));
      toastDone("act" in way ? way.done : text.change.undone);
    } catch (error) {
      toastFailed(error, "act" in way ? way.failed : text.change.notUndone);
    }
  }
}

/** It waits, and where: a plain link, because toasts are outside of the router. */
function Waits({ request }: { request: unknown }) {
  const page = `${config.root}/console/settings?tab=approvals&approval=${request}`;
  return (
    <>
      {text.change.waits}{" "}
      {typeof request === "string" && <Anchor href={page}>{text.change.openRequest}</Anchor>}
    </>
  );
}

/** A change was refused: say why. One that waits for approval is no failure. */
export function toastFailed(error: unknown, title?: string) {
  const waits = error instanceof GamekeeperError && error.needsApproval;
  notifications.show({
    color: waits ? "yellow" : "red",
    icon: waits ? <IconClock size={18} /> : <IconX size={18} />,
    autoClose: CHANGE_SECONDS * 1000,
    closeButtonProps: { "aria-label": text.change.close },
    title: waits ? undefined : title,
    message: waits ? (
      <Waits request={error.details.ApprovalId} />
    ) : error instanceof Error ? (
      error.message
    ) : (
      String(error)
    ),
  });
}
