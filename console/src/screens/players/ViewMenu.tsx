import { Button, Checkbox, Menu } from "@mantine/core";
import { IconAdjustments } from "@tabler/icons-react";
import { useDensity } from "~/preferences";
import { CHOICES } from "./columns";
import { text } from "./text";
import { useColumns } from "./useColumns";

/** Which columns the table has, and how dense it is. */
export default function ViewMenu() {
  const [columns, setColumns] = useColumns();
  const [density, setDensity] = useDensity();
  return (
    <Menu position="bottom-end" closeOnItemClick={false} withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<IconAdjustments size={16} />} visibleFrom="sm">
          {text.view}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{text.columns}</Menu.Label>
        {CHOICES.map((name) => (
          <Menu.Item
            key={name}
            role="menuitemcheckbox"
            aria-checked={columns.includes(name)}
            leftSection={
              <Checkbox
                size="xs"
                tabIndex={-1}
                aria-hidden="true"
                readOnly
                checked={columns.includes(name)}
              />
            }
            onClick={() =>
              setColumns(
                columns.includes(name) ? columns.filter((one) => one !== name) : [...columns, name],
              )
            }
          >
            {text.names[name]}
          </Menu.Item>
        ))}
        <Menu.Label>{text.density}</Menu.Label>
        {(["comfortable", "compact"] as const).map((one) => (
          <Menu.Item
            key={one}
            role="menuitemradio"
            aria-checked={density === one}
            leftSection={density === one ? "●" : "○"}
            onClick={() => setDensity(one)}
          >
            {text[one]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
