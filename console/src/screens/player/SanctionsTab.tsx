import type { Player } from "@gamekeeper/client";
import { Group, Stack } from "@mantine/core";
import { ImposeButton } from "~/parts/sanctions/ImposeButton";
import { SanctionList } from "~/parts/sanctions/SanctionList";
import { usePlayerRecord } from "~/parts/sanctions/useRecord";
import { Answered, Forbidden } from "~/parts/states";
import { useMay } from "~/session";

/** What was imposed on the character and on its account; the composer knows whom. */
export function SanctionsTab({ player }: { player: Player }) {
  const record = usePlayerRecord(player.Name);
  const target = { userId: player.UserId, player: { id: player.Id, name: player.Name } };
  if (!useMay("sanctions.read")) return <Forbidden scope="sanctions.read" />;
  return (
    <Stack>
      <Group justify="flex-end">
        <ImposeButton target={target} />
      </Group>
      <Answered query={record}>{({ Values }) => <SanctionList sanctions={Values} />}</Answered>
    </Stack>
  );
}
