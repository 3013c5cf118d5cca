import { Combobox, Group, Modal, ScrollArea, Text, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { get } from "~/api";
import { ItemTile } from "~/parts/ItemTile";
import { addressOf } from "~/parts/orders/address";
import { When } from "~/parts/When";
import { text } from "~/text";
import type { Screen } from "./screens";

interface Hit {
  key: string;
  group: keyof typeof text.search.groups;
  label: ReactNode;
  beside?: ReactNode;
  href: string;
}

interface SearchDialogProps {
  opened: boolean;
  onClose: () => void;
  screens: Screen[];
}

/** One search for everything: type, walk with the arrows, Enter. */
export function SearchDialog({ opened, onClose, screens }: SearchDialogProps) {
  const [typed, setTyped] = useState("");
  const [wanted] = useDebouncedValue(typed.trim(), 120);
  const navigate = useNavigate();
  // Its options are always shown: without this, Enter would wait for an arrow key first.
  const combobox = useCombobox({ opened: true });
  const hits = useHits(wanted, opened, screens);

  // biome-ignore lint/correctness/useExhaustiveDependencies: when other hits are there
  useEffect(() => {
    combobox.selectFirstOption();
  }, [hits]);

  function open(href: string) {
    setTyped("");
    onClose();
    // Not `to`, which would take what follows the ? for a part of the path.
    void navigate({ href });
  }

  const groups = [...new Set(hits.map((hit) => hit.group))];
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size="lg"
      yOffset="10vh"
      attributes={{ content: { "aria-label": text.search.open } }}
    >
      <Combobox store={combobox} onOptionSubmit={open}>
        <Combobox.EventsTarget>
          <TextInput
            data-autofocus
            size="lg"
            variant="unstyled"
            px="md"
            leftSection={<IconSearch size={18} />}
            leftSectionWidth={48}
            aria-label={text.search.open}
            placeholder={text.search.placeholder}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </Combobox.EventsTarget>
        <ScrollArea.Autosize mah="60vh" type="auto">
          <Combobox.Options p="xs" aria-label={text.search.open}>
            {groups.map((group) => (
              <Combobox.Group key={group} label={text.search.groups[group]}>
                {hits
                  .filter((hit) => hit.group === group)
                  .map((hit) => (
                    <Combobox.Option key={hit.key} value={hit.href}>
                      <Group justify="space-between" wrap="nowrap">
                        <Group gap="sm" wrap="nowrap">
                          {hit.label}
                        </Group>
                        <Text size="sm" c="dimmed">
                          {hit.beside}
                        </Text>
                      </Group>
                    </Combobox.Option>
                  ))}
              </Combobox.Group>
            ))}
            {hits.length === 0 && <Combobox.Empty>{text.search.nothing}</Combobox.Empty>}
          </Combobox.Options>
        </ScrollArea.Autosize>
      </Combobox>
    </Modal>
  );
}

function useHits(wanted: string, enabled: boolean, screens: Screen[]): Hit[] {
  const { data } = useQuery({
    ...get("/api/v1/search", { params: { query: { q: wanted } } }),
    enabled: enabled && wanted.length >= 2,
    placeholderData: keepPreviousData,
  });
  const pages: Hit[] = screens
    .filter((screen) => screen.label.toLowerCase().includes(wanted.toLowerCase()))
    .map((screen) => ({ key: screen.to, group: "screens", label: screen.label, href: screen.to }));
  if (!data || wanted.length < 2) return pages;
  return [
    ...data.Players.map(
      (one): Hit => ({
        key: one.Id,
        group: "players",
        label: one.Name,
        beside: `${one.ClassName} ${one.Level}${one.Online ? ` · ${text.live.online}` : ""}`,
        href: `/players/${encodeURIComponent(one.Name)}`,
      }),
    ),
    ...data.Users.map(
      (one): Hit => ({
        key: one.Id,
        group: "users",
        label: one.Name,
        beside: one.Email,
        href: `/accounts/${encodeURIComponent(one.Name)}`,
      }),
    ),
    ...data.Items.map(
      (one): Hit => ({
        key: one.Id,
        group: "items",
        label: (
          <>
            <ItemTile id={one.Id} name={one.Name} size={24} /> {one.Name}
          </>
        ),
        beside: one.Type,
        href: `/economy/${one.Id}`,
      }),
    ),
    ...data.Sanctions.map(
      (one): Hit => ({
        key: one.Id,
        group: "sanctions",
        label: one.Code,
        beside: one.Kind,
        href: `/moderation?code=${one.Code}`,
      }),
    ),
    ...data.Actions.map(
      (one): Hit => ({
        key: one.Id,
        group: "actions",
        label: `${one.Kind} · ${one.ActorName}`,
        beside: <When at={one.At} />,
        href: `/actions?id=${one.Id}`,
      }),
    ),
    ...data.Transactions.map(
      (one): Hit => ({
        key: one.Id,
        group: "transactions",
        label: one.Id,
        href: `/actions?transaction=${one.Id}`,
      }),
    ),
    ...data.Orders.map(
      (one): Hit => ({
        key: one.Id,
        group: "orders",
        label: one.OrderId,
        beside: one.Shop,
        href: `/orders/${addressOf(one.Shop, one.OrderId)}`,
      }),
    ),
    ...pages,
  ];
}
