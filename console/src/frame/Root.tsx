import { Outlet, useMatches } from "@tanstack/react-router";
import { Frame } from "./Frame";

/** The sign-in stands alone; every other screen is in the frame. */
export function Root() {
  const isSignIn = useMatches({ select: (all) => all.some((one) => one.routeId === "/sign-in") });
  if (isSignIn) return <Outlet />;
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}
