import "./ui/tokens.css";
import "./ui/base.css";
import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { draw, watchReturn } from "./app/leave.ts";
import { adopt } from "./app/session.tsx";
import { noteMissingChunks } from "./app/updates.ts";
import { queryClient } from "./data/query-client.ts";
import { sessionOptions } from "./data/session.ts";
import { router } from "./routes.tsx";

noteMissingChunks();
watchReturn();
// The pages before the log-in belong to no person. The first route reports an unreachable service.
const isBefore = /^\/(login|set-password)$/.test(location.pathname);
await adopt(isBefore ? null : await queryClient.fetchQuery(sessionOptions).catch(() => null));

draw(
  <I18nProvider i18n={i18n}>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </I18nProvider>,
);
