import { Group, Stack, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { config } from "~/config";

interface PageProps {
  title: string;
  /** Beside the title, such as a badge. */
  beside?: ReactNode;
  /** The main action, on the right. */
  action?: ReactNode;
  filters?: ReactNode;
  children: ReactNode;
}

/** The form of every screen: its title, its main action on the right, its filters below. */
export function Page({ title, beside, action, filters, children }: PageProps) {
  useDocumentTitle(`${title} · ${config.game}`);
  return (
    <Stack gap="md">
      <Group justify="space-between" wrap="wrap" gap="sm">
        <Group gap="sm">
          <Title order={1}>{title}</Title>
          {beside}
        </Group>
        {action}
      </Group>
      {filters}
      {children}
    </Stack>
  );
}
