import type { CreatedOpenIdClient } from "@gamekeeper/client";
import { Text } from "@mantine/core";
import { CodeBlock } from "../CodeBlock";
import { OnceSecret } from "../OnceSecret";
import { text } from "./text";

interface SecretOnceProps {
  client: CreatedOpenIdClient;
  issuer: string | null;
  onClose: () => void;
}

/** A new client or secret: what to enter in the settings of the client. */
export function SecretOnce({ client, issuer, onClose }: SecretOnceProps) {
  return (
    <OnceSecret title={text.once.title(client.Name)} secret={client.Secret} onClose={onClose}>
      <Text size="sm">{text.once.configure}</Text>
      {settingsOf(client, issuer).map(([label, value]) => (
        <div key={label}>
          <Text size="sm" fw={600} mb={4}>
            {label}
          </Text>
          <CodeBlock code={value} label={label} />
        </div>
      ))}
    </OnceSecret>
  );
}

function settingsOf(client: CreatedOpenIdClient, issuer: string | null): [string, string][] {
  const address = issuer ?? location.origin;
  if (client.IsDiscourse)
    return [[text.connectUrl, `${address}/openid/authorize?client_id=${client.Id}`]];
  return [
    [text.issuer, address],
    [text.id, client.Id],
  ];
}
