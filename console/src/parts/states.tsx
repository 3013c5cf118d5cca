import { GamekeeperError } from "@gamekeeper/client";
import { Button, Code, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconCloudOff, IconLock, IconMoodEmpty, IconZoomExclamation } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { text } from "~/text";

interface StateProps {
  icon: ReactNode;
  title: string;
  hint?: ReactNode;
  action?: ReactNode;
}

function State({ icon, title, hint, action }: StateProps) {
  return (
    <Paper withBorder p="xl" role="status">
      <Stack align="center" gap="xs" py="lg">
        {icon}
        <Title order={2} ta="center">
          {title}
        </Title>
        {hint && (
          <Text c="dimmed" ta="center" maw={480}>
            {hint}
          </Text>
        )}
        {action}
      </Stack>
    </Paper>
  );
}

const ICON = { size: 32, stroke: 1.5, "aria-hidden": true } as const;

/** Nothing is there, and what to do about it. */
export function Empty({ title, hint, action }: Omit<StateProps, "icon">) {
  return <State icon={<IconMoodEmpty {...ICON} />} title={title} hint={hint} action={action} />;
}

export function Forbidden({ scope }: { scope: string }) {
  const hint = text.states.forbiddenHint(scope);
  return <State icon={<IconLock {...ICON} />} title={text.states.forbidden} hint={hint} />;
}

/** No such address. */
export function NotFound() {
  const icon = <IconZoomExclamation {...ICON} />;
  return <State icon={icon} title={text.states.notFound} hint={text.states.notFoundHint} />;
}

/** What went wrong, in words, and what to do next. */
export function Failed({ error, retry }: { error: Error; retry?: () => void }) {
  const known = error instanceof GamekeeperError ? error : null;
  if (known?.status === 403) {
    const scope = String(known.details.Scope ?? known.details.Role ?? known.code);
    return <Forbidden scope={scope} />;
  }
  if (known?.status === 404) {
    const icon = <IconZoomExclamation {...ICON} />;
    return <State icon={icon} title={known.message} hint={text.states.notFoundHint} />;
  }
  const hint = (
    <>
      {error.message}
      {known?.requestId && (
        <>
          {" "}
          {text.states.requestId} <Code>{known.requestId}</Code>
        </>
      )}
    </>
  );
  const again = retry && (
    <Group>
      <Button variant="light" onClick={retry}>
        {text.states.retry}
      </Button>
    </Group>
  );
  return (
    <State
      icon={<IconCloudOff {...ICON} />}
      title={text.states.failed}
      hint={hint}
      action={again}
    />
  );
}

/** Grey bars where the content will be. */
export function Loading({ rows = 6, height = 36 }: { rows?: number; height?: number }) {
  return (
    <Stack gap="xs" role="status" aria-busy="true" aria-label={text.states.loading}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Skeleton key={row} height={height} radius="sm" />
      ))}
    </Stack>
  );
}

interface AnsweredProps<T> {
  query: UseQueryResult<T, Error>;
  loading?: ReactNode;
  children: (data: T) => ReactNode;
}

/** What a query answered, or that it loads or failed; what was shown before stays meanwhile. */
export function Answered<T>({ query, loading, children }: AnsweredProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  return loading ?? <Loading />;
}
