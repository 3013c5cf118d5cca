import { Menu, SegmentedControl, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { IconKeyboard, IconLogout, IconShieldLock } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { gk } from "~/api";
import { type TimeZone, useTimeZone } from "~/preferences";
import { useMe } from "~/session";
import { text } from "~/text";
import { MyAvatar } from "./MyAvatar";

/** The person: profile, theme, time zone, keys, sign out. */
export default function MyMenu({ onKeys }: { onKeys: () => void }) {
  const { Name, Roles } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [zone, setZone] = useTimeZone();
  const client = useQueryClient();
  const navigate = useNavigate();

  async function signOut() {
    await gk.delete("/api/v1/session").catch(() => undefined);
    client.clear();
    await navigate({ to: "/sign-in", search: {} });
  }

  return (
    <Menu position="bottom-end" width={260} closeOnItemClick={false} keepMounted={false}>
      <Menu.Target>
        <UnstyledButton>
          <span className="sr-only">{text.me.label}</span>
          <MyAvatar />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {Name} · {Roles.join(", ")}
        </Menu.Label>
        <Menu.Item
          closeMenuOnClick
          component={Link}
          to="/profile"
          leftSection={<IconShieldLock size={16} />}
        >
          {text.me.profile}
        </Menu.Item>
        <Menu.Item closeMenuOnClick leftSection={<IconKeyboard size={16} />} onClick={onKeys}>
          {text.me.keys}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{text.me.theme}</Menu.Label>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={text.me.theme}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as typeof colorScheme)}
          data={[
            { value: "light", label: text.me.light },
            { value: "dark", label: text.me.dark },
            { value: "auto", label: text.me.auto },
          ]}
        />
        <Menu.Label>{text.me.timeZone}</Menu.Label>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={text.me.timeZone}
          value={zone}
          onChange={(value) => setZone(value as TimeZone)}
          data={[
            { value: "local", label: text.me.local },
            { value: "utc", label: text.me.utc },
          ]}
        />
        <Menu.Divider mt="sm" />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          {text.me.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
