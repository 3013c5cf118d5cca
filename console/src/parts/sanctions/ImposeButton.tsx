import { Button, type ButtonProps, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconGavel } from "@tabler/icons-react";
import { useMay } from "~/session";
import { SanctionComposer } from "./SanctionComposer";
import type { Target } from "./target";
import { text } from "./text";

/** Opens the composer, for somebody if it is known whom. */
export function ImposeButton({ target, ...props }: { target?: Target } & ButtonProps) {
  const [opened, composer] = useDisclosure(false);
  const may = useMay("sanctions.manage");
  return (
    <>
      <Tooltip label={text.mayNotManage} disabled={may}>
        <Button
          leftSection={<IconGavel size={18} />}
          data-disabled={!may || undefined}
          aria-disabled={!may}
          onClick={() => may && composer.open()}
          {...props}
        >
          {text.composer.title}
        </Button>
      </Tooltip>
      <SanctionComposer opened={opened} onClose={composer.close} target={target ?? null} />
    </>
  );
}
