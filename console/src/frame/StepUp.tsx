import { Modal, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { get } from "~/api";
import { SecondFactor } from "~/parts/SecondFactor";
import { me } from "~/session";

let waiting: ((passed: boolean) => void) | null = null;
const listeners = new Set<() => void>();

function set(next: typeof waiting) {
  waiting = next;
  for (const listener of listeners) listener();
}

/** Ask for the second factor again; false: the person would rather not. */
export function askSecondFactor(): Promise<boolean> {
  waiting?.(false);
  return new Promise((resolve) => set(resolve));
}

/** The dialog of `askSecondFactor`; the frame has one. */
export function StepUp() {
  const client = useQueryClient();
  const opened = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting !== null,
  );
  const factors = useQuery({ ...get("/api/v1/me/factors"), enabled: opened });

  function close(passed: boolean) {
    waiting?.(passed);
    set(null);
    if (passed) void client.invalidateQueries({ queryKey: me.queryKey });
  }

  const kinds = new Set(factors.data?.Values.map((factor) => factor.Kind));
  return (
    <Modal opened={opened} onClose={() => close(false)} title="Is it still you?" centered>
      <Text mb="md">This matters, so please give your second factor again.</Text>
      <SecondFactor
        methods={[...kinds, ...(factors.data?.RecoveryCodesLeft ? ["recovery" as const] : [])]}
        onPassed={() => close(true)}
      />
    </Modal>
  );
}
