import type { ErrorCode, Failure, TokenRefusal } from "./schema.js";

/** The service's codes, those of its OAuth operations, and two for when there was none. */
export type Code = ErrorCode | TokenRefusal["error"] | "no_answer" | "unreadable_answer";

/** The service refused, or could not answer. `code` is for programs, `message` for people. */
export class GamekeeperError extends Error {
  override readonly name: string = "GamekeeperError";

  constructor(
    message: string,
    /** The HTTP status; 0 if there was no answer. */
    readonly status: number,
    readonly code: Code,
    /** Quote it when you report a fault: the log of the service has it too. */
    readonly requestId: string | null,
    readonly details: Readonly<Record<string, unknown>> = {},
    /** After how many seconds to ask again, if the service said so. */
    readonly retryAfter: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** The change exceeds the limits of the caller and waits for the approval of somebody else. */
  get needsApproval(): boolean {
    return this.code === "approval_required";
  }
}

/** Whether it is an error of the service, and one of these codes if you name some. */
export function isError<C extends Code = Code>(
  error: unknown,
  ...codes: C[]
): error is GamekeeperError & { readonly code: C } {
  const known: readonly string[] = codes;
  return error instanceof GamekeeperError && (known.length === 0 || known.includes(error.code));
}

/** The error that an answer tells. */
export async function errorOf(answer: Response): Promise<GamekeeperError> {
  const about = answer.headers.get("X-Request-Id");
  const wait = Number(answer.headers.get("Retry-After") ?? Number.NaN);
  const retryAfter = Number.isFinite(wait) ? wait : null;
  const failure = await readFailure(answer);
  if (failure === null) {
    const text = `The service answered ${answer.status} without saying why.`;
    return new GamekeeperError(text, answer.status, "unreadable_answer", about, {}, retryAfter);
  }
  const { Message, Code, Details = {} } = failure;
  return new GamekeeperError(Message, answer.status, Code, about, Details, retryAfter);
}

/** There was no answer: the network failed, or the service is down. */
export function noAnswer(cause: unknown): GamekeeperError {
  const text = "The service did not answer.";
  return new GamekeeperError(text, 0, "no_answer", null, {}, null, { cause });
}

/** It was no answer of the service: something else answers at that address. */
export function unreadable(answer: Response, cause: unknown): GamekeeperError {
  const about = answer.headers.get("X-Request-Id");
  const text = "The answer cannot be read; is this the address of the service?";
  const { status } = answer;
  return new GamekeeperError(text, status, "unreadable_answer", about, {}, null, { cause });
}

type Refusal = Pick<Failure, "Message" | "Details"> & { Code: Code };

async function readFailure(answer: Response): Promise<Refusal | null> {
  try {
    const body: unknown = await answer.json();
    if (typeof body !== "object" || body === null) return null;
    if ("Code" in body) return body as Failure;
    return "error" in body ? ofToken(body as TokenRefusal) : null;
  } catch {
    return null;
  }
}

/** Getting a token has the errors of RFC 6749. */
function ofToken({ error, error_description }: TokenRefusal): Refusal {
  return { Message: error_description, Code: error };
}
