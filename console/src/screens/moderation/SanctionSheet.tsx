import type { Sanction } from "@gamekeeper/client";
import { Drawer, Group, Stack, Text, Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { get } from "~/api";
import { ActorLink } from "~/parts/people";
import { SanctionBadge } from "~/parts/sanctions/SanctionBadge";
import { LiftButton, SanctionCode } from "~/parts/sanctions/SanctionCard";
import { SanctionFacts } from "~/parts/sanctions/SanctionFacts";
import { Whom } from "~/parts/sanctions/Whom";
import { Answered } from "~/parts/states";
import { When } from "~/parts/When";
import { text } from "./text";

/** The sanction whose code is in the address: what a player quoted, or a row that was opened. */
export function SanctionSheet() {
  const { code, ...rest } = useSearch({ from: "/moderation" });
  const navigate = useNavigate();
  const isPhone = useMediaQuery("(max-width: 48em)");
  const sanction = useQuery({
    ...get("/api/v1/sanctions/{key}", { params: { path: { key: code ?? "" } } }),
    enabled: code !== undefined,
  });
  return (
    <Drawer
      opened={code !== undefined}
      onClose={() => void navigate({ to: "/moderation", search: rest })}
      title={
        <Title order={2} component="span">
          {text.sheet.title}
        </Title>
      }
      position={isPhone ? "bottom" : "right"}
      size={isPhone ? "90%" : "md"}
      closeButtonProps={{ "aria-label": text.sheet.close }}
    >
      <Answered query={sanction}>{(found) => <Details sanction={found} />}</Answered>
    </Drawer>
  );
}

function Details({ sanction }: { sanction: Sanction }) {
  return (
    <Stack>
      <Group justify="space-between">
        <SanctionBadge sanction={sanction} />
        <SanctionCode code={sanction.Code} />
      </Group>
      <Text size="lg">
        <Whom sanction={sanction} />
      </Text>
      <Text size="sm" c="dimmed">
        {text.appeals.imposed} <When at={sanction.ImposedAt} span /> {text.appeals.by}{" "}
        <ActorLink actor={sanction.ImposedBy} name={sanction.ImposedByName} />
      </Text>
      <SanctionFacts sanction={sanction} />
      {!sanction.LiftedAt && (
        <Group justify="flex-end">
          <LiftButton sanction={sanction} />
        </Group>
      )}
    </Stack>
  );
}
