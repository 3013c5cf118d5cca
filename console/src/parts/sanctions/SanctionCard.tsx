import type { Sanction } from "@gamekeeper/client";
import { Button, Code, Group, Paper, Stack, Text, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowBackUp } from "@tabler/icons-react";
import { CopyId } from "~/parts/CopyId";
import { ActorLink } from "~/parts/people";
import { When } from "~/parts/When";
import { useMay, useMe } from "~/session";
import { LiftSheet } from "./LiftSheet";
import { SanctionBadge } from "./SanctionBadge";
import { SanctionFacts } from "./SanctionFacts";
import { text } from "./text";

/** One sanction, whole: for the record of an account or a character. */
export function SanctionCard({ sanction }: { sanction: Sanction }) {
  return (
    <Paper withBorder p="md" component="article" aria-label={text.kinds[sanction.Kind]}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <SanctionBadge sanction={sanction} />
            <SanctionCode code={sanction.Code} />
            <Text size="sm" c="dimmed">
              {sanction.PlayerId
                ? text.character(sanction.PlayerName ?? text.deletedCharacter)
                : text.onAccount}
            </Text>
          </Group>
          <Group gap="md">
            <Text size="sm" c="dimmed">
              <When at={sanction.ImposedAt} span /> {text.by}{" "}
              <ActorLink actor={sanction.ImposedBy} name={sanction.ImposedByName} />
            </Text>
            {!sanction.LiftedAt && <LiftButton sanction={sanction} />}
          </Group>
        </Group>
        <SanctionFacts sanction={sanction} wide />
      </Stack>
    </Paper>
  );
}

/** What the player quotes, to be read out and copied. */
export function SanctionCode({ code }: { code: string }) {
  return (
    <Group gap={2} wrap="nowrap" component="span">
      <Code>{code}</Code>
      <CopyId id={code} what={text.code} />
    </Group>
  );
}

export function LiftButton({ sanction, label }: { sanction: Sanction; label?: string }) {
  const [opened, sheet] = useDisclosure(false);
  const mayManage = useMay("sanctions.manage");
  const isOwn = useMe().UserId === sanction.UserId;
  const why = isOwn ? text.ownSanction : text.mayNotManage;
  const mayLift = mayManage && !isOwn;
  return (
    <>
      <Tooltip label={why} disabled={mayLift}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconArrowBackUp size={16} />}
          data-disabled={!mayLift || undefined}
          aria-disabled={!mayLift}
          onClick={() => mayLift && sheet.open()}
        >
          {label ?? text.lift}
        </Button>
      </Tooltip>
      <LiftSheet sanction={sanction} opened={opened} onClose={sheet.close} />
    </>
  );
}
