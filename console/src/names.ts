import { useQuery } from "@tanstack/react-query";
import { get, gk, queries } from "~/api";

/** Names of the catalog by id. Many ask at once; those of one moment are one request. */
const MOST = 100;
const LONG = 10 * 60_000;

const PARTS = ["spells", "variables", "classes"] as const;
type Part = (typeof PARTS)[number];
type Waiting = Map<string, (name: string | null) => void>;

const waiting: Record<Part, Waiting> = {
  spells: new Map(),
  variables: new Map(),
  classes: new Map(),
};

function load(part: Part, id: string): Promise<string | null> {
  return new Promise((resolve) => {
    if (waiting[part].size === 0) setTimeout(() => void send(part), 5);
    waiting[part].set(id, resolve);
  });
}

async function send(part: Part) {
  const asked = [...waiting[part]];
  waiting[part] = new Map();
  for (let at = 0; at < asked.length; at += MOST) {
    const some = asked.slice(at, at + MOST);
    const query = { ids: some.map(([id]) => id).join(","), pageSize: MOST };
    const found = await gk.get(`/api/v1/catalog/${part}`, { params: { query } }).catch(() => null);
    const names = new Map(found?.Values.map((entry) => [entry.Id, entry.Name]));
    for (const [id, resolve] of some) resolve(names.get(id) ?? null);
  }
}

/** Keep names that came with an answer, so that nobody asks for them again. */
export function rememberNames(names: Readonly<Record<string, string>> | undefined) {
  for (const [id, name] of Object.entries(names ?? {}))
    for (const part of PARTS) queries.setQueryData(["name", part, id], name);
}

/** What a spell, a variable or a class is called; null if the catalog has none of that id. */
export function useCatalogName(part: Part, id: string | null): string | null | undefined {
  return useQuery({
    queryKey: ["name", part, id],
    queryFn: () => load(part, id ?? ""),
    enabled: id !== null,
    staleTime: LONG,
  }).data;
}

/** What a game server is called; undefined until that is known. */
export function useServerName(id: string): string | undefined {
  return useServerNames()?.find((server) => server.Id === id)?.Name;
}

/** The first 100 game servers; undefined until they are known. */
export function useServerNames(): { Id: string; Name: string }[] | undefined {
  const query = get("/api/v1/servers", { params: { query: { pageSize: 100 } } });
  return useQuery({ ...query, staleTime: LONG }).data?.Values;
}
