import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "~/styles.css";
import { queries } from "~/api";
import { config } from "~/config";
import { followSessionEnd } from "~/ended";
import { router } from "~/router";
import { text } from "~/text";
import { theme, variables } from "~/theme";

// The scroll lock of dialogs adds a <style> of its own, and takes its nonce from here.
Object.assign(globalThis, { __webpack_nonce__: config.nonce });

followSessionEnd();

createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => config.nonce}
    >
      <QueryClientProvider client={queries}>
        <aside aria-label={text.notifications}>
          <Notifications position="bottom-right" withinPortal={false} />
        </aside>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
