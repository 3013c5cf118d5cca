// What a website, a bot and a console do with the client. Node and a browser run the same.
import { connect, events, GamekeeperError, hashPassword, isError, pages } from "@gamekeeper/client";

const PLAYER = "/api/v1/players/{key}";

function give(gk, { player, item, quantity = 5, ...options }) {
  const params = { path: { key: player } };
  const body = { itemid: item, quantity };
  return gk.post(`${PLAYER}/items/give`, { params, body, ...options });
}

export function gives({ how, ...gift }) {
  return give(connect(how), gift);
}

/** Asks with a key of its own twice, and then for something else with it. */
export async function orders({ how, player, item, order }) {
  const gk = connect(how);
  const gift = { player, item, idempotencyKey: order };
  const first = await give(gk, gift);
  const again = await give(gk, gift);
  const other = await failure(() => give(gk, { ...gift, quantity: 6 }));
  return [JSON.stringify(first) === JSON.stringify(again), other];
}

/** The keys of all attempts of one gift, while there is no network. */
export async function keys({ how, ...gift }) {
  const sent = [];
  const offline = async (request) => {
    sent.push(request.headers.get("Idempotency-Key"));
    throw new TypeError("offline");
  };
  const gk = connect({ ...how, url: "http://127.0.0.1", fetch: offline, retries: 2 });
  await failure(() => give(gk, gift));
  return sent;
}

export async function lists({ how, path, params }) {
  const found = [];
  for await (const one of pages(connect(how), path, { params })) found.push(one);
  return found;
}

/** Stops in the middle: what is not asked for is not read. */
export async function peeks({ how, path, params, number }) {
  let asked = 0;
  const counting = (request) => {
    asked += 1;
    return fetch(request);
  };
  const found = [];
  for await (const one of pages(connect({ ...how, fetch: counting }), path, { params })) {
    found.push(one);
    if (found.length === number) break;
  }
  return asked;
}

export async function follows({ how, number, gaps = false, ...about }, tell) {
  const gk = connect(how);
  const options = {
    ...about,
    onConnection: (isLive) => tell({ isLive }),
    ...(gaps && { onGap: (gap) => tell({ gap }) }),
  };
  const totals = [];
  for await (const event of events(gk, options)) {
    totals.push(event.After.total);
    tell({ total: event.After.total });
    if (totals.length === number) break;
  }
  return totals;
}

/** Left by its signal while it waits: the loop ends with the reason, and so does a call. */
export async function leaves({ how }) {
  const gk = connect(how);
  const ended = [];
  for (const wait of [follow, ask]) {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("enough")), 300);
    await wait(controller.signal).catch((error) => ended.push(error.message));
  }
  return ended;

  async function follow(signal) {
    for await (const _ of events(gk, { after: "latest", kinds: ["users.email"], signal }));
  }
  async function ask(signal) {
    await gk.get("/api/v1/events", { params: { query: { after: "latest", wait: 20 } }, signal });
  }
}

export async function fails({ how, method = "get", path, ...init }) {
  return failure(() => connect(how)[method](path, init));
}

export async function icon({ how, item }) {
  const gk = connect(how);
  const params = { path: { item_id: item } };
  const image = await gk.get("/api/v1/catalog/items/{item_id}/icon", { params });
  return [image instanceof Blob, image.type, image.size];
}

export function hashes({ texts }) {
  return texts.map(hashPassword);
}

/** Whether the page may use the browser's own SHA-256. */
export function isTrusted() {
  return globalThis.crypto?.subtle !== undefined;
}

async function failure(attempt) {
  try {
    await attempt();
  } catch (error) {
    const { status, code, message, details, requestId } = error;
    const isOurs = error instanceof GamekeeperError && isError(error, code) && isError(error);
    const isOther = isError(error, "stale");
    return { status, code, message, details, named: requestId !== null, isOurs, isOther };
  }
  return null;
}
