import "./ui/tokens.css";
import "./ui/base.css";
import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import { adopt } from "./app/session.tsx";
import { noteMissingChunks } from "./app/updates.ts";
import { queryClient } from "./data/query-client.ts";
import { sessionOptions } from "./data/session.ts";
import { router } from "./routes.tsx";

noteMissingChunks();
// The pages before the log-in belong to no person. The first route reports an unreachable service.
const isBefore = /^\/(login|set-password)$/.test(location.pathname);
await adopt(isBefore ? null : await queryClient.fetchQuery(sessionOptions).catch(() => null));

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element #root.");
createRoot(root).render(
  <I18nProvider i18n={i18n}>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </I18nProvider>,
);
