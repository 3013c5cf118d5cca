import { Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBookmark, IconChevronDown } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { type SavedFiltersProps, useHref, useSavedFilters } from "./filters";
import { text } from "./text";

const ManageFilters = lazy(() => import("./ManageFilters"));

/** The caller's saved filters of this list: each opens, and the current one can be saved. */
export default function FilterMenu({ list, size = "sm" }: SavedFiltersProps) {
  const [opened, menu] = useDisclosure(false);
  const [managed, manage] = useDisclosure(false);
  const filters = useSavedFilters(list, opened || managed);
  const href = useHref();

  return (
    <>
      <Menu
        opened={opened}
        onChange={menu.toggle}
        position="bottom-end"
        withinPortal
        // What is outside of all landmarks is missed by those who jump between them.
        portalProps={{ target: "main" }}
      >
        <Menu.Target>
          <Button
            variant="default"
            size={size}
            aria-label={text.savedLabel}
            leftSection={<IconBookmark size={16} />}
            rightSection={<IconChevronDown size={14} />}
          >
            {text.saved}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {filters?.map((one) => (
            // A page load: the fields of the filters read the address when they are made.
            <Menu.Item key={one.Id} component="a" href={href(one)}>
              {one.Name}
            </Menu.Item>
          ))}
          {/* A menu has items only: anything else is no child that assistive technology expects. */}
          {filters?.length === 0 && <Menu.Item disabled>{text.none}</Menu.Item>}
          <Menu.Divider />
          <Menu.Item onClick={manage.open}>{text.manage}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {managed && (
        <Suspense>
          <ManageFilters list={list} filters={filters ?? []} onClose={manage.close} />
        </Suspense>
      )}
    </>
  );
}
