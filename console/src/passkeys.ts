import { gk } from "~/api";

/** Passkeys of this browser (WebAuthn), as the API wants them. */
export const hasPasskeys =
  typeof PublicKeyCredential !== "undefined" &&
  "parseRequestOptionsFromJSON" in PublicKeyCredential;

// What `toJSON` of a credential gives, as far as the API wants it; TypeScript knows only `any`.
interface Proof {
  id: string;
  response: { clientDataJSON: string; authenticatorData: string; signature: string };
}
interface Registration {
  id: string;
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] };
}

export async function verifyPasskey(): Promise<void> {
  const { Options } = await gk.post("/api/v1/session/passkey/options");
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    Options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const made = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const { id, response } = made.toJSON() as Proof;
  await gk.post("/api/v1/session/passkey", {
    body: {
      id,
      clientdatajson: response.clientDataJSON,
      authenticatordata: response.authenticatorData,
      signature: response.signature,
    },
  });
}

export async function addPasskey(name: string): Promise<void> {
  const { Options } = await gk.post("/api/v1/me/factors/passkeys/options");
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    Options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const { id, response } = made.toJSON() as Registration;
  await gk.post("/api/v1/me/factors/passkeys", {
    body: {
      id,
      clientdatajson: response.clientDataJSON,
      attestationobject: response.attestationObject,
      transports: response.transports ?? [],
      name,
    },
  });
}
