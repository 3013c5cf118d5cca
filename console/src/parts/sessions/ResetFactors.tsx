import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { gk } from "~/api";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { text } from "./text";

/** Removes the second factors of a member of staff who has lost them. */
export function ResetFactors({ name }: { name: string }) {
  const [opened, sheet] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={sheet.open}>
        {text.reset}
      </Button>
      {opened && (
        <ChangeSheet
          permission="staff.manage"
          opened
          onClose={sheet.close}
          title={text.resetTitle(name)}
          whom={text.resetWhom}
          subject={{ user: name }}
          preview={
            <BeforeAfter
              changes={[
                {
                  key: "factors",
                  label: text.resetRow,
                  before: text.resetBefore,
                  after: text.resetAfter,
                },
                {
                  key: "sessions",
                  label: text.sessionsRow,
                  before: text.resetBefore,
                  after: text.sessionsAfter,
                },
              ]}
            />
          }
          ready
          reasonRequired
          submitLabel={text.resetNow}
          done={text.resetDone(name)}
          undoable={false}
          submit={(reason, init) =>
            gk.delete("/api/v1/staff/{user}/factors", {
              params: { path: { user: name } },
              ...init,
              headers: { ...init.headers, ...(reason && { "X-Reason": reason }) },
            })
          }
        />
      )}
    </>
  );
}
