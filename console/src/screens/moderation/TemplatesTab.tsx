import type { SanctionTemplate } from "@gamekeeper/client";
import { Button, Group, Paper, Stack, Text, Title, Tooltip } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { get, gk } from "~/api";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { LadderSteps } from "~/parts/sanctions/LadderSteps";
import { Fact } from "~/parts/sanctions/SanctionFacts";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { TemplateSheet } from "./TemplateSheet";
import { text } from "./text";

/** Which sheet is open: a new template, or one that is changed or removed. */
type Open = { edit: SanctionTemplate | null } | { remove: SanctionTemplate } | null;

/** The templates with their ladders; changed by those who may. */
export function TemplatesTab() {
  const [open, setOpen] = useState<Open>(null);
  const templates = useQuery(get("/api/v1/sanctions/templates"));
  const may = useMay("sanctions.templates");
  const make = (
    <Tooltip label={text.templates.mayNot} disabled={may}>
      <Button
        variant="default"
        leftSection={<IconPlus size={16} />}
        data-disabled={!may || undefined}
        aria-disabled={!may}
        onClick={() => may && setOpen({ edit: null })}
      >
        {text.templates.make}
      </Button>
    </Tooltip>
  );
  return (
    <Stack>
      <Answered query={templates}>
        {({ Values }) =>
          Values.length === 0 ? (
            <Empty title={text.templates.none} hint={text.templates.noneHint} action={make} />
          ) : (
            <>
              <Group justify="space-between">
                <Text c="dimmed">{text.templates.hint}</Text>
                {make}
              </Group>
              {Values.map((template) => (
                <TemplateCard key={template.Name} template={template} may={may} onOpen={setOpen} />
              ))}
            </>
          )
        }
      </Answered>
      {open && "edit" in open && (
        <TemplateSheet template={open.edit} onClose={() => setOpen(null)} />
      )}
      {open && "remove" in open && (
        <RemoveSheet template={open.remove} onClose={() => setOpen(null)} />
      )}
    </Stack>
  );
}

interface TemplateCardProps {
  template: SanctionTemplate;
  may: boolean;
  onOpen: (open: Open) => void;
}

function TemplateCard({ template, may, onOpen }: TemplateCardProps) {
  return (
    <Paper withBorder p="lg" component="article" aria-label={template.Name}>
      <Stack>
        <Group justify="space-between">
          <Title order={2}>{template.Name}</Title>
          {may && (
            <Group gap="xs">
              <Button size="xs" variant="default" onClick={() => onOpen({ edit: template })}>
                {text.templates.edit}
              </Button>
              <Button size="xs" variant="default" onClick={() => onOpen({ remove: template })}>
                {text.templates.remove}
              </Button>
            </Group>
          )}
        </Group>
        <LadderSteps steps={template.Steps} />
        <Fact label={text.templates.message}>
          <Text c={template.Message ? undefined : "dimmed"}>
            {template.Message || text.templates.noMessage}
          </Text>
        </Fact>
        <Text size="sm" c="dimmed">
          {text.templates.changed} <When at={template.ChangedAt} span /> {text.templates.by}{" "}
          {template.ChangedByName} ·{" "}
          <Link to="/moderation" search={{ template: template.Name, state: "all" }}>
            {text.templates.used}
          </Link>
        </Text>
      </Stack>
    </Paper>
  );
}

function RemoveSheet({ template, onClose }: { template: SanctionTemplate; onClose: () => void }) {
  const { Name: name } = template;
  return (
    <ChangeSheet
      permission="sanctions.templates"
      opened
      onClose={onClose}
      title={text.templates.removeTitle(name)}
      whom={text.templates.removeWhom}
      subject={{}}
      preview={<LadderSteps steps={template.Steps} />}
      ready
      submitLabel={text.templates.removeNow}
      done={text.templates.removed(name)}
      undoable={false}
      submit={(reason, init) =>
        gk.delete("/api/v1/sanctions/templates/{name}", {
          params: { path: { name } },
          ...init,
          headers: { ...init.headers, ...(reason && { "X-Reason": reason }) },
        })
      }
    />
  );
}
