import { noAnswer } from "./errors.js";

/** One message of a stream of server-sent events. */
export interface EventMessage {
  id: string | null;
  event: string;
  /** Empty if the message only says how far the stream has come. */
  data: string;
}

/** The messages in a stream of bytes, also those that only say how far it has come. */
export async function* messages(
  answer: Response,
  hear: () => void = () => {},
): AsyncGenerator<EventMessage, void, undefined> {
  if (!answer.body) return;
  const reader = answer.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let lines: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw noAnswer(cause);
      });
      if (done) return;
      hear();
      const parts = (rest + decoder.decode(value, { stream: true })).split(/\r?\n/);
      rest = parts.pop() ?? "";
      for (const line of parts) {
        if (line !== "") lines.push(line);
        else {
          yield messageOf(lines);
          lines = [];
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function messageOf(lines: readonly string[]): EventMessage {
  const message: EventMessage = { id: null, event: "message", data: "" };
  const data: string[] = [];
  for (const line of lines) {
    const colon = line.indexOf(":");
    const field = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, "");
    if (field === "id") message.id = value;
    else if (field === "event") message.event = value;
    else if (field === "data") data.push(value);
  }
  return { ...message, data: data.join("\n") };
}
