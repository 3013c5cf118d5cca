import type { Sanction } from "@gamekeeper/client";
import { Group, Text } from "@mantine/core";
import { gk } from "~/api";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { SanctionBadge } from "./SanctionBadge";
import { text } from "./text";
import { whomOf } from "./Whom";

interface LiftSheetProps {
  sanction: Sanction;
  opened: boolean;
  onClose: () => void;
}

/** Lift a sanction, with the reason; there is no undo of it, only a new sanction. */
export function LiftSheet({ sanction, opened, onClose }: LiftSheetProps) {
  return (
    <ChangeSheet
      permission="sanctions.manage"
      opened={opened}
      onClose={onClose}
      title={text.liftTitle(sanction.Kind)}
      whom={
        <Group gap="xs" component="span">
          <SanctionBadge sanction={sanction} /> {whomOf(sanction)}
        </Group>
      }
      subject={{ user: sanction.UserId }}
      preview={<Text>{text.liftPreview(sanction.Kind)}</Text>}
      ready
      reasonRequired
      submitLabel={text.liftNow(sanction.Kind)}
      done={text.lifted(sanction.Kind, whomOf(sanction))}
      undoable={false}
      submit={(reason, init) =>
        gk.post("/api/v1/sanctions/{key}/lift", {
          params: { path: { key: sanction.Id } },
          body: { reason },
          ...init,
        })
      }
    />
  );
}
