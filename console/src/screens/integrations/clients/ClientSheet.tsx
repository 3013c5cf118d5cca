import type { CreatedOpenIdClient, OpenIdClient } from "@gamekeeper/client";
import { Button, Drawer, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconKey, IconLogout, IconPencil, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get } from "~/api";
import { grouped } from "~/format";
import { CopyId } from "~/parts/CopyId";
import { Fact } from "~/parts/sanctions/SanctionFacts";
import { Answered } from "~/parts/states";
import { When } from "~/parts/When";
import { text as integrations } from "../text";
import { ClientForm } from "./ClientForm";
import { kindOf } from "./draft";
import { SecretOnce } from "./SecretOnce";
import { RemoveSheet, RenewSheet, SignOutSheet } from "./sheets";
import { text } from "./text";
import { scopesInWords } from "./words";

type Step = "edit" | "renew" | "sign-out" | "remove";

interface ClientSheetProps {
  id: string;
  issuer: string | null;
  onClose: () => void;
}

/** One client: what it may do, and what can be done with it. */
export function ClientSheet({ id, issuer, onClose }: ClientSheetProps) {
  const isPhone = useMediaQuery("(max-width: 48em)");
  const [step, setStep] = useState<Step | null>(null);
  const [renewed, setRenewed] = useState<CreatedOpenIdClient | null>(null);
  const client = useQuery(
    get("/api/v1/openid-clients/{client_id}", { params: { path: { client_id: id } } }),
  );
  const back = () => setStep(null);
  if (renewed)
    return <SecretOnce client={renewed} issuer={issuer} onClose={() => setRenewed(null)} />;
  if (client.data && step === "edit") return <ClientForm client={client.data} onClose={back} />;
  if (client.data && step === "renew")
    return <RenewSheet client={client.data} onClose={back} onRenewed={setRenewed} />;
  if (client.data && step === "sign-out")
    return <SignOutSheet client={client.data} onClose={back} />;
  if (client.data && step === "remove")
    return <RemoveSheet client={client.data} onClose={back} onRemoved={onClose} />;
  return (
    <Drawer
      opened
      onClose={onClose}
      title={
        <Title order={2} component="span">
          {client.data?.Name ?? text.label}
        </Title>
      }
      position={isPhone ? "bottom" : "right"}
      size={isPhone ? "90%" : "md"}
      closeButtonProps={{ "aria-label": integrations.close }}
    >
      <Answered query={client}>
        {(found) => (
          <Stack>
            <Facts client={found} issuer={issuer} />
            <Steps client={found} onStep={setStep} />
          </Stack>
        )}
      </Answered>
    </Drawer>
  );
}

function Facts({ client, issuer }: { client: OpenIdClient; issuer: string | null }) {
  return (
    <>
      <SimpleGrid cols={2}>
        <Fact label={text.kind}>{text.kinds[kindOf(client)]}</Fact>
        <Fact label={text.id}>
          <Group gap={4} wrap="nowrap">
            <Text truncate>{client.Id}</Text>
            <CopyId id={client.Id} what={text.id} />
          </Group>
        </Fact>
        <Fact label={text.used}>{client.UsedAt ? <When at={client.UsedAt} /> : text.never}</Fact>
        <Fact label={text.today}>{grouped(client.SignIns)}</Fact>
        <Fact label={text.made}>
          <When at={client.CreatedAt} />
        </Fact>
        {issuer && <Fact label={text.issuer}>{issuer}</Fact>}
        <Fact label={text.consent}>
          {client.AsksConsent ? text.consents.asked : text.consents.trusted}
        </Fact>
        <Fact label={text.pkce}>
          {client.RequiresPkce ? text.pkces.required : text.pkces.optional}
        </Fact>
        <Fact label={text.banned}>
          {client.AdmitsBanned ? text.banneds.admitted : text.banneds.refused}
        </Fact>
      </SimpleGrid>
      <Fact label={text.may}>{scopesInWords(client.Scopes) || text.scopes.openid}</Fact>
      <Fact label={text.redirects}>
        <Addresses of={client.RedirectUris} />
      </Fact>
      <Fact label={text.logouts}>
        <Addresses of={client.LogoutUris} />
      </Fact>
      <Fact label={text.backchannel}>
        <Addresses of={client.BackchannelUri ? [client.BackchannelUri] : []} />
      </Fact>
    </>
  );
}

function Addresses({ of }: { of: string[] }) {
  if (of.length === 0) return text.nowhere;
  return of.map((address) => (
    <Text key={address} style={{ overflowWrap: "anywhere" }}>
      {address}
    </Text>
  ));
}

function Steps({ client, onStep }: { client: OpenIdClient; onStep: (step: Step) => void }) {
  return (
    <Group justify="flex-end">
      <Button
        variant="default"
        leftSection={<IconPencil size={16} />}
        onClick={() => onStep("edit")}
      >
        {text.edit}
      </Button>
      {!client.IsPublic && (
        <Button
          variant="default"
          leftSection={<IconKey size={16} />}
          onClick={() => onStep("renew")}
        >
          {text.renew}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconLogout size={16} />}
        onClick={() => onStep("sign-out")}
      >
        {text.signOut}
      </Button>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} />}
        onClick={() => onStep("remove")}
      >
        {text.remove}
      </Button>
    </Group>
  );
}
