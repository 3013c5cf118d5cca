/** Between the address, which has instants, and the browser's own field for date and time. */
export function toLocal(at: string | undefined): string {
  const instant = new Date(at ?? "");
  if (Number.isNaN(instant.getTime())) return "";
  const local = new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

export function fromLocal(typed: string): string | undefined {
  const instant = new Date(typed);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}
