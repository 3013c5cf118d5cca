import { GamekeeperError } from "@gamekeeper/client";
import { Button, Code, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import {
  IconCloudOff,
  IconInbox,
  IconLock,
  IconSearch,
  IconZoomExclamation,
} from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { openSearch } from "~/frame/palette";
import { text } from "~/text";
import classes from "./states.module.css";

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
  return <State icon={<IconInbox {...ICON} />} title={title} hint={hint} action={action} />;
}

export function Forbidden({ scope }: { scope: string }) {
  const hint = text.states.forbiddenHint(scope);
  return <State icon={<IconLock {...ICON} />} title={text.states.forbidden} hint={hint} />;
}

/** No such address. */
export function NotFound({ title = text.states.notFound }: { title?: string }) {
  return (
    <State
      icon={<IconZoomExclamation {...ICON} />}
      title={title}
      hint={text.states.notFoundHint}
      action={
        <Button variant="light" leftSection={<IconSearch size={16} />} onClick={openSearch}>
          {text.search.open}
        </Button>
      }
    />
  );
}

/** What went wrong, in words, and what to do next. */
export function Failed({ error, retry }: { error: Error; retry?: () => void }) {
  const known = error instanceof GamekeeperError ? error : null;
  if (known?.status === 403) {
    const scope = String(known.details.Scope ?? known.details.Role ?? known.code);
    return <Forbidden scope={scope} />;
  }
  if (known?.status === 404) return <NotFound title={known.message} />;
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

/** Milliseconds without an answer until the reader is told that it takes long. */
const SLOW = 5_000;

/** Of a line of text in each row, in percent: rows of one length would look like a fence. */
const WIDTHS = [42, 58, 36, 50, 64, 45];

/** Rows of a list or table, before they are known. */
export function Loading({ rows = 6, height = 44 }: { rows?: number; height?: number }) {
  const isSlow = useIsSlow();
  return (
    <Paper
      withBorder
      role="status"
      aria-busy="true"
      aria-label={text.states.loading}
      className={classes.loading}
    >
      {isSlow && (
        <Text c="dimmed" size="sm" p="md">
          {text.states.slow}
        </Text>
      )}
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without a content have no other key
        <div key={row} className={classes.loadingRow} style={{ height }}>
          <Skeleton height={12} width={`${WIDTHS[row % WIDTHS.length]}%`} />
          <Skeleton height={12} width={72} />
        </div>
      ))}
    </Paper>
  );
}

/** Whether it has been shown for so long that a skeleton alone explains nothing. */
function useIsSlow(): boolean {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW);
    return () => clearTimeout(timer);
  }, []);
  return isSlow;
}

interface AnsweredProps<T> {
  query: UseQueryResult<T, Error>;
  loading?: ReactNode;
  children: (data: T) => ReactNode;
}

/**
 * What a query answered, or that it loads or failed; what was shown before stays meanwhile.
 *
 * The first failure is shown at once, not after the last retry: each may take until a timeout.
 */
export function Answered<T>({ query, loading, children }: AnsweredProps<T>) {
  if (query.data !== undefined) return children(query.data);
  const error = query.error ?? query.failureReason;
  if (error) return <Failed error={error} retry={() => void query.refetch()} />;
  return loading ?? <Loading />;
}
