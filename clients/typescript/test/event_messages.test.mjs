import assert from "node:assert/strict";
import { test } from "node:test";
import { messages } from "../dist/event_messages.js";

const SENT = [
  "retry: 1000\n\n",
  'id: 7\nevent: items.give\ndata: {"Name":"Bogenschütze 🏹: x"}\n\n',
  ": still here\nid: 9\n\n",
  "id:10\r\ndata: one\r\ndata: two\r\n\r\n",
  'id: 11\nevent: end\ndata: {"Reason":"stopping"}\n\n',
].join("");
const READ = [
  { id: null, event: "message", data: "" },
  { id: "7", event: "items.give", data: '{"Name":"Bogenschütze 🏹: x"}' },
  { id: "9", event: "message", data: "" },
  { id: "10", event: "message", data: "one\ntwo" },
  { id: "11", event: "end", data: '{"Reason":"stopping"}' },
];

function inPieces(size) {
  const bytes = new TextEncoder().encode(SENT);
  const pieces = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.slice(at, at + size));
  return new Response(ReadableStream.from(pieces));
}

async function read(answer) {
  const found = [];
  for await (const message of messages(answer)) found.push(message);
  return found;
}

test("messages are the same in pieces of every size", async () => {
  for (let size = 1; size < SENT.length; size++) assert.deepEqual(await read(inPieces(size)), READ);
});

test("half a message is none", async () => {
  assert.deepEqual(await read(new Response("id: 1\ndata: x\n\nid: 2\ndata: y\n")), [
    { id: "1", event: "message", data: "x" },
  ]);
});

test("a connection that breaks is no answer", async () => {
  const broken = new ReadableStream({
    start: (controller) => controller.error(new TypeError("terminated")),
  });
  await assert.rejects(read(new Response(broken)), { code: "no_answer", status: 0 });
});
