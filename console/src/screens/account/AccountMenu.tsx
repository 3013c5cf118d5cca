import type { User } from "@gamekeeper/client";
import { ActionIcon, Menu } from "@mantine/core";
import { IconAt, IconDots, IconKey, IconMailCheck, IconMailForward } from "@tabler/icons-react";
import { useState } from "react";
import { gk } from "~/api";
import { useMay } from "~/session";
import { toastDone, toastFailed } from "~/toasts";
import { EmailSheet } from "./EmailSheet";
import { PasswordSheet } from "./PasswordSheet";
import { text } from "./text";

/** Email and password: seldom needed, so behind a button. */
export function AccountMenu({ user }: { user: User }) {
  const [sheet, setSheet] = useState<"email" | "password" | null>(null);
  const may = useMay("users.manage");

  async function sendReset() {
    try {
      const { Delivery } = await gk.get("/api/v1/users/{key}/password/reset", {
        params: { path: { key: user.Name } },
      });
      if (Delivery === "queued") toastDone(text.reset.queued);
      else toastFailed(new Error(text.reset[Delivery]), text.reset.failed);
    } catch (error) {
      toastFailed(error, text.reset.failed);
    }
  }

  async function sendVerification() {
    try {
      const { Delivery } = await gk.post("/api/v1/users/{key}/email/verification", {
        params: { path: { key: user.Name } },
      });
      if (Delivery === "queued") toastDone(text.verification.queued);
      else toastFailed(new Error(text.verification[Delivery]), text.verification.failed);
    } catch (error) {
      toastFailed(error, text.verification.failed);
    }
  }

  return (
    <>
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={text.menu.label}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconMailForward size={16} />} onClick={() => void sendReset()}>
            {text.menu.reset}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconMailCheck size={16} />}
            onClick={() => void sendVerification()}
          >
            {text.menu.verify}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconAt size={16} />}
            disabled={!may}
            onClick={() => setSheet("email")}
          >
            {text.menu.email}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconKey size={16} />}
            disabled={!may}
            onClick={() => setSheet("password")}
          >
            {text.menu.password}
          </Menu.Item>
          {!may && <Menu.Label>{text.menu.mayNot}</Menu.Label>}
        </Menu.Dropdown>
      </Menu>
      {sheet === "email" && <EmailSheet user={user} onClose={() => setSheet(null)} />}
      {sheet === "password" && <PasswordSheet user={user} onClose={() => setSheet(null)} />}
    </>
  );
}
