import { GamekeeperError } from "@gamekeeper/client";
import {
  Alert,
  Box,
  Button,
  Drawer,
  Group,
  Loader,
  Skeleton,
  Stack,
  Text,
  Textarea,
  Title,
} from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconBroadcast } from "@tabler/icons-react";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { type ChangeInit, carryOut, isUncertain, type Subject } from "~/change";
import { config } from "~/config";
import { LimitNotice } from "~/parts/rights/LimitNotice";
import type { Charge } from "~/parts/rights/usage";
import { text } from "~/text";
import { toastDone, toastFailed, type WayBack } from "~/toasts";
import classes from "./ChangeSheet.module.css";
import { useFocusReturn } from "./useFocusReturn";

export interface ChangeSheetProps<T> {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Whom it concerns, in words. */
  whom: ReactNode;
  /** The server that the character plays on now, if it does. */
  inGameOn?: string | null | undefined;
  subject: Subject;
  /** The fields of the change. */
  children?: ReactNode;
  /** Before → after, line by line (`BeforeAfter`); null: nothing would change. */
  preview: ReactNode;
  /** Whether a dry run is still on its way. */
  previewLoading?: boolean;
  /** Why it would be refused, if a dry run said so. */
  previewError?: Error | null;
  ready: boolean;
  submitLabel: string;
  /** What the toast says. */
  done: ReactNode;
  submit: (reason: string, init: ChangeInit) => Promise<T>;
  /** What to show while the change runs, if that takes long. */
  running?: ReactNode;
  /** What became of it, where a toast is too short: it stays until the sheet is closed. */
  outcome?: (result: T) => ReactNode;
  /** Whether the toast has an undo; most changes do. */
  undoable?: boolean;
  /** Another way back than the undo of the request, for what the log does not undo. */
  wayBack?: WayBack | undefined;
  /** What it counts against limits, if it hands something out or undoes. */
  charge?: Charge | undefined;
  /** The permission that the change needs; the operator may require a reason for it. */
  permission: string;
  /** Whether it always needs a reason. */
  reasonRequired?: boolean;
}

/**
 * The one way to change something: what will change, for whom, why; then a toast with Undo.
 */
export function ChangeSheet<T>(props: ChangeSheetProps<T>) {
  const isPhone = useMediaQuery("(max-width: 48em)");
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<ReactNode>(null);
  const isRunning = useRef(false);
  const isClosed = useRef(false);
  const reasonRequired = props.reasonRequired || config.requiredReasons.includes(props.permission);
  // Of an attempt without an answer: sent again under its id, the change is not made twice.
  const unanswered = useRef<string>(undefined);
  useFocusReturn(props.opened);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isRunning.current) return;
    isRunning.current = true;
    isClosed.current = false;
    setBusy(true);
    setRefusal(null);
    const requestId = unanswered.current ?? crypto.randomUUID();
    unanswered.current = undefined;
    try {
      await carryOut(async (init) => {
        const result = await props.submit(reason.trim(), init);
        if (props.outcome) setOutcome(props.outcome(result));
      }, requestId);
      if (!props.outcome) {
        close();
        const undo = { requestId, subject: props.subject };
        toastDone(props.done, props.wayBack ?? (props.undoable === false ? undefined : undo));
      }
    } catch (error) {
      if (isUncertain(error)) unanswered.current = requestId;
      if (error instanceof GamekeeperError && error.needsApproval) close();
      if (isClosed.current) toastFailed(error);
      else setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  }

  function close() {
    unanswered.current = undefined;
    isClosed.current = true;
    setReason("");
    setRefusal(null);
    setOutcome(null);
    props.onClose();
  }

  return (
    <Drawer
      opened={props.opened}
      onClose={close}
      title={
        <Title order={2} component="span">
          {props.title}
        </Title>
      }
      position={isPhone ? "bottom" : "right"}
      size={isPhone ? "90%" : "md"}
      closeButtonProps={{ "aria-label": text.change.cancel }}
    >
      {outcome ? (
        <Stack>
          {outcome}
          <Group justify="flex-end" className={classes.footer}>
            <Button autoFocus onClick={close}>
              {text.change.close}
            </Button>
          </Group>
        </Stack>
      ) : (
        <form
          onSubmit={(event) => void submit(event)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && props.ready)
              event.currentTarget.requestSubmit();
          }}
        >
          <Stack>
            <Text>{props.whom}</Text>
            {props.inGameOn && (
              <Alert icon={<IconBroadcast />} color="blue">
                {text.change.inGame(props.inGameOn)}
              </Alert>
            )}
            {props.children}
            <Box>
              <Text size="sm" fw={600} mb={4}>
                {text.change.preview}
              </Text>
              <Preview
                preview={props.preview}
                previewLoading={props.previewLoading}
                previewError={props.previewError}
              />
            </Box>
            {props.charge && <LimitNotice charge={props.charge} />}
            <Textarea
              label={text.change.reason}
              description={reasonRequired ? text.change.reasonNeeded : text.change.reasonHint}
              value={reason}
              maxLength={500}
              required={reasonRequired}
              autosize
              minRows={2}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
            {busy && props.running && (
              <Group wrap="nowrap" role="status">
                <Loader size="sm" aria-hidden="true" />
                <Text size="sm">{props.running}</Text>
              </Group>
            )}
            {refusal && (
              <Alert color="red" role="alert">
                {refusal}
              </Alert>
            )}
            <Group justify="flex-end" className={classes.footer}>
              <Button variant="default" onClick={close}>
                {text.change.cancel}
              </Button>
              <Button
                type="submit"
                loading={busy}
                disabled={
                  !props.ready ||
                  (reasonRequired && !reason.trim()) ||
                  props.previewLoading ||
                  Boolean(props.previewError)
                }
              >
                {props.submitLabel}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Drawer>
  );
}

/** What would change; it stays on the screen while a dry run looks again. */
function Preview({
  preview,
  previewLoading,
  previewError,
}: Pick<ChangeSheetProps<unknown>, "preview" | "previewLoading" | "previewError">) {
  if (previewError) {
    return (
      <Alert color="red" role="alert">
        {previewError.message}
      </Alert>
    );
  }
  if (previewLoading && !preview) {
    return <Skeleton height={56} aria-busy="true" aria-label={text.change.previewLoading} />;
  }
  return preview ?? <Text c="dimmed">{text.change.nothing}</Text>;
}
