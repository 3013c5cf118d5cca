import { ActionIcon, Group, NumberInput, Text } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { grouped } from "~/format";
import { text } from "~/text";

interface PagerProps {
  /** From 0, as the API counts. */
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
}

/** Where in a list we are, and any page of it by number. */
export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / pageSize));
  const first = total === 0 ? 0 : page * pageSize + 1;
  const last = Math.min(total, (page + 1) * pageSize);
  return (
    <Group justify="space-between" gap="sm" component="nav" aria-label={text.pages.page}>
      <Text size="sm" c="dimmed">
        {text.pages.of(first, last, grouped(total))}
      </Text>
      <Group gap="xs">
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={text.pages.previous}
          disabled={page <= 0}
          onClick={() => onPage(page - 1)}
        >
          <IconChevronLeft size={16} />
        </ActionIcon>
        <NumberInput
          aria-label={text.pages.page}
          hideControls
          w={96}
          min={1}
          max={pages}
          thousandSeparator=","
          value={page + 1}
          key={page}
          onBlur={(event) => go(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && go(event.currentTarget.value)}
        />
        <Text size="sm" c="dimmed">
          / {grouped(pages)}
        </Text>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={text.pages.next}
          disabled={page >= pages - 1}
          onClick={() => onPage(page + 1)}
        >
          <IconChevronRight size={16} />
        </ActionIcon>
      </Group>
    </Group>
  );

  function go(typed: string) {
    const number = Number(typed.replaceAll(",", ""));
    if (!Number.isInteger(number)) return;
    const wanted = Math.min(pages, Math.max(1, number)) - 1;
    if (wanted !== page) onPage(wanted);
  }
}
