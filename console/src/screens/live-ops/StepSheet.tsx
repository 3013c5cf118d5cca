import { withReason } from "~/change";
import { ChangeSheet, type ChangeSheetProps } from "~/parts/ChangeSheet";

type StepSheetProps = Pick<
  ChangeSheetProps<unknown>,
  | "permission"
  | "onClose"
  | "title"
  | "whom"
  | "preview"
  | "previewLoading"
  | "previewError"
  | "charge"
  | "running"
  | "done"
> & {
  submitLabel?: string;
  submit: (init: ReturnType<typeof withReason>) => Promise<unknown>;
};

/** A step of what runs for many players: its request has no body, and the log does not undo it. */
export function StepSheet({ submit, ...props }: StepSheetProps) {
  return (
    <ChangeSheet
      opened
      subject={{}}
      ready
      undoable={false}
      submitLabel={props.title}
      submit={(reason, init) => submit(withReason(init, reason))}
      {...props}
    />
  );
}
