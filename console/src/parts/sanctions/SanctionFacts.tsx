import type { Sanction } from "@gamekeeper/client";
import { SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { get } from "~/api";
import { ExcerptLines } from "~/parts/chat/ExcerptLines";
import { text as chat } from "~/parts/chat/text";
import { ActorLink } from "~/parts/people";
import { When } from "~/parts/When";
import classes from "./SanctionCard.module.css";
import { text } from "./text";

/** What was said to the player, why, with what evidence, and how it ended. */
export function SanctionFacts({ sanction, wide }: { sanction: Sanction; wide?: boolean }) {
  return (
    <Stack gap="sm">
      <SimpleGrid cols={wide ? { base: 1, sm: 2 } : 1} spacing="lg" verticalSpacing="sm">
        <Words sanction={sanction} />
      </SimpleGrid>
      <Evidence links={sanction.Evidence} />
      <ChatEvidence sanction={sanction} />
      <Origin sanction={sanction} />
    </Stack>
  );
}

function Words({ sanction }: { sanction: Sanction }) {
  return (
    <>
      {sanction.Kind !== "note" && (
        <Fact label={text.message}>
          {sanction.Message ? (
            <div className={classes.quote}>{sanction.Message}</div>
          ) : (
            <Text c="dimmed">{text.noMessage}</Text>
          )}
        </Fact>
      )}
      {sanction.Reason && (
        <Fact label={text.reason}>
          <Text className={classes.link}>{sanction.Reason}</Text>
        </Fact>
      )}
    </>
  );
}

/** From which template, and how it ended. */
function Origin({ sanction }: { sanction: Sanction }) {
  return (
    <>
      {sanction.Template && sanction.Step && (
        <Text size="sm" c="dimmed">
          {text.templateStep(sanction.Template, sanction.Step)}
        </Text>
      )}
      {sanction.LiftedAt && (
        <Text size="sm">
          {text.liftedBy}{" "}
          <ActorLink actor={sanction.LiftedBy ?? ""} name={sanction.LiftedByName ?? ""} />{" "}
          <When at={sanction.LiftedAt} span />
          {sanction.LiftReason && `: ${sanction.LiftReason}`}
        </Text>
      )}
    </>
  );
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed" fw={600} mb={4}>
        {label}
      </Text>
      {children}
    </div>
  );
}

/** The chat messages that were the evidence, as they were then. */
function ChatEvidence({ sanction }: { sanction: Sanction }) {
  const excerpt = useQuery({
    ...get("/api/v1/sanctions/{key}/excerpt", { params: { path: { key: sanction.Id } } }),
    enabled: sanction.ExcerptLines > 0,
  });
  const lines = excerpt.data?.Values ?? [];
  if (lines.length === 0) return null;
  return (
    <Fact label={chat.evidence.title}>
      <ExcerptLines lines={lines} />
      <Text size="xs" c="dimmed" mt={4} className={classes.link}>
        {chat.evidence.hash}: {excerpt.data?.Sha256}
      </Text>
    </Fact>
  );
}

function Evidence({ links }: { links: string[] }) {
  if (links.length === 0) return null;
  return (
    <Fact label={text.evidence}>
      <Stack gap={4}>
        {links.map((link) => (
          <a
            key={link}
            href={link}
            target="_blank"
            rel="noreferrer noopener"
            className={classes.link}
          >
            {link}
          </a>
        ))}
      </Stack>
    </Fact>
  );
}
