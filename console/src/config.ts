/** What the server writes into the page: where it is, and which game this is. */
interface Config {
  root: string;
  game: string;
  environment: string;
  environmentColor: string;
  /** The permissions whose changes need a reason. */
  requiredReasons: string[];
  nonce: string;
}

const meta = document.querySelector<HTMLMetaElement>('meta[name="gamekeeper"]');

export const config: Config = JSON.parse(meta?.content ?? "{}");
