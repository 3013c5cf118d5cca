import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface CardProps {
  title: string;
  hint?: string | undefined;
  /** Buttons, at the right of the title. */
  beside?: ReactNode;
  /** 3 below another heading of the page. */
  order?: 2 | 3;
  children: ReactNode;
}

/** A part of a page, with a heading. */
export function Card({ title, hint, beside, order = 2, children }: CardProps) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Stack>
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={order}>{title}</Title>
            {hint && (
              <Text size="sm" c="dimmed">
                {hint}
              </Text>
            )}
          </div>
          {beside}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
