import type { ImposedSanction } from "@gamekeeper/client";
import { Button, CopyButton, Drawer, Group, Stack, Text, Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { QuotedLine } from "~/parts/chat/ExcerptLines";
import { toastDone } from "~/toasts";
import { Composer, type Impose } from "./Composer";
import type { Kind } from "./kinds";
import { liftAtOnce } from "./lift";
import { SeenByPlayer } from "./SeenByPlayer";
import type { Target } from "./target";
import { text } from "./text";

interface SanctionComposerProps {
  opened: boolean;
  onClose: () => void;
  /** Whom, if it was opened from an account or a player. */
  target?: Target | null;
  kind?: Kind;
  /** Chat messages that are evidence, oldest first. */
  excerpt?: QuotedLine[];
  impose?: Impose;
  /** The sheet was closed after the sanction was imposed. */
  onDone?: () => void;
}

/** The sheet that imposes a sanction; after it, the code to quote, and a toast to lift it. */
export function SanctionComposer(props: SanctionComposerProps) {
  const { opened, onClose, target, kind, excerpt, impose } = props;
  const isPhone = useMediaQuery("(max-width: 48em)");
  const [made, setMade] = useState<ImposedSanction | null>(null);

  function close(isDone = made !== null) {
    setMade(null);
    onClose();
    if (isDone) props.onDone?.();
  }

  function imposed(sanction: ImposedSanction, whom: string) {
    const key = sanction.Id ?? "";
    toastDone(text.composer.done(sanction.Kind, whom), {
      label: text.lift,
      act: async () => {
        await liftAtOnce(key);
        close(true);
      },
      done: text.lifted(sanction.Kind, whom),
      failed: text.notLifted,
    });
    if (sanction.Kind === "note") close(true);
    else setMade(sanction);
  }

  return (
    <Drawer
      opened={opened}
      onClose={() => close()}
      title={
        <Title order={2} component="span">
          {text.composer.title}
        </Title>
      }
      position={isPhone ? "bottom" : "right"}
      size={isPhone ? "92%" : "lg"}
      closeButtonProps={{ "aria-label": text.composer.cancel }}
    >
      {made ? (
        <Imposed sanction={made} onClose={() => close()} />
      ) : (
        <Composer
          target={target ?? null}
          kind={kind}
          excerpt={excerpt}
          impose={impose}
          onImposed={imposed}
          onCancel={() => close()}
        />
      )}
    </Drawer>
  );
}

function Imposed({ sanction, onClose }: { sanction: ImposedSanction; onClose: () => void }) {
  const code = sanction.Code ?? "";
  return (
    <Stack gap="lg">
      <Stack align="center" gap="xs" py="md">
        <Text c="dimmed">{text.composer.quote}</Text>
        <Text fz={36} fw={700} ff="monospace" lh={1.2}>
          {code}
        </Text>
        <CopyButton value={code}>
          {({ copied, copy }) => (
            <Button
              data-autofocus
              onClick={copy}
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            >
              {copied ? text.composer.copied : text.composer.copy}
            </Button>
          )}
        </CopyButton>
        <Text size="sm" c="dimmed" ta="center">
          {text.composer.quoteHint}
        </Text>
      </Stack>
      <SeenByPlayer
        kind={sanction.Kind}
        onCharacter={sanction.PlayerId !== null}
        endsAt={sanction.EndsAt ? new Date(sanction.EndsAt) : null}
        message={sanction.Message}
        code={code}
      />
      <Group justify="flex-end">
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/moderation" search={{ code }} {...props} />}
          onClick={onClose}
        >
          {text.composer.show}
        </Button>
        <Button onClick={onClose}>{text.composer.close}</Button>
      </Group>
    </Stack>
  );
}
