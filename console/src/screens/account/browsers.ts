/** "Firefox on Linux": what a browser says of itself, in words. */
const BROWSERS: [RegExp, string][] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/(HeadlessChrome|Chrome|CriOS)\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux|X11/, "Linux"],
];

export function browserOf(agent: string): string {
  const browser = BROWSERS.find(([mark]) => mark.test(agent))?.[1];
  const system = SYSTEMS.find(([mark]) => mark.test(agent))?.[1];
  if (!browser) return agent.slice(0, 40) || "?";
  return system ? `${browser} on ${system}` : browser;
}
