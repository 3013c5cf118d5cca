import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { lazy, StrictMode, Suspense } from "react";
import { createRoot } from "react-dom/client";
import "~/library";
import "~/fonts.css";
import "~/styles.css";
import { queries } from "~/api";
import { config } from "~/config";
import { followSessionEnd } from "~/ended";
import { router } from "~/router";
import { text } from "~/text";
import { theme, variables } from "~/theme";

const Toasts = lazy(() => import("~/frame/Toasts"));

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
          <Suspense fallback={null}>
            <Toasts />
          </Suspense>
        </aside>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
