import { GamekeeperError, type Whoami } from "@gamekeeper/client";
import { useQuery } from "@tanstack/react-query";
import { get, queries } from "~/api";

/** Who is signed in, and what they may do: the API's permissions are the only ones. */
export const me = { ...get("/api/v1/me"), staleTime: 60_000, retry: false };

/** The person at the console; null: nobody, or a sign-in that is not finished. */
export async function signedIn(): Promise<Whoami | null> {
  try {
    const found = await queries.ensureQueryData(me);
    return found.Session?.State === "signed_in" ? found : null;
  } catch (error) {
    if (error instanceof GamekeeperError && error.status === 401) return null;
    throw error;
  }
}

export function useMe(): Whoami {
  const { data } = useQuery(me);
  if (!data) throw new Error("This screen needs a signed-in user.");
  return data;
}

/** Whether the person may do what needs this scope. */
export function useMay(scope: string): boolean {
  return useMe().Scopes.includes(scope);
}
