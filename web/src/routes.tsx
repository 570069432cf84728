import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import type { QueryClient } from "@tanstack/react-query";
import { type ComponentType, lazy } from "react";
import { type Area, withTexts } from "./app/languages.ts";
import { keep, parseSearch, stringifySearch } from "./app/search.ts";
import { openOver } from "./app/opened.ts";
import { Broken, NotFound } from "./app/not-found.tsx";
import { readPeopleSearch, readPrintSearch } from "./data/people-filters.ts";
import { queryClient } from "./data/query-client.ts";
import { sessionOptions } from "./data/session.ts";

/** A screen arrives with the texts of its areas. */
const screen = <Module extends Record<string, ComponentType>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
  ...areas: Area[]
) => lazyRouteComponent(() => withTexts(load, ...areas), name);

/** Every route of the app, with the search parameters it knows and its screen, which is a chunk of its own. */
const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  notFoundComponent: NotFound,
});

const login = createRoute({
  getParentRoute: () => root,
  path: "login",
  validateSearch: keep("to"),
  component: screen(() => import("./app/login.tsx"), "Login", "login"),
});

/** Everything below needs a session. */
const frame = createRoute({
  getParentRoute: () => root,
  id: "frame",
  component: screen(() => import("./app/shell.tsx"), "Shell", "frame"),
  staticData: {
    QuickAdd: lazy(() => withTexts(() => import("./records/quick-add.tsx"), "over")),
  },
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData({
      ...sessionOptions,
      revalidateIfStale: true,
    });
    if (session === null)
      throw redirect({ to: "/login", search: location.href === "/" ? {} : { to: location.href } });
  },
});

const home = createRoute({
  getParentRoute: () => frame,
  path: "/",
  component: screen(() => import("./home/home.tsx"), "Home", "home"),
});

const people = createRoute({
  getParentRoute: () => frame,
  path: "people",
  staticData: { needs: ["people:read"] },
  validateSearch: readPeopleSearch,
  component: screen(() => import("./people/list.tsx"), "PeopleList", "list", "records"),
});

const newPerson = createRoute({
  getParentRoute: () => frame,
  path: "people/new",
  staticData: { needs: ["people:write", "prospects:write"] },
  validateSearch: keep("name", "phone"),
  component: screen(() => import("./people/new-person.tsx"), "NewPerson", "people", "records"),
});

const person = createRoute({
  getParentRoute: () => frame,
  path: "people/$id",
  validateSearch: keep("tab", "edit"),
  component: screen(() => import("./people/person.tsx"), "Person", "people", "records"),
});

const household = createRoute({
  getParentRoute: () => frame,
  path: "households/$id",
  staticData: { needs: ["households:read"] },
  component: screen(() => import("./people/household.tsx"), "Household", "people", "records"),
});

const cells = createRoute({
  getParentRoute: () => frame,
  path: "cells",
  validateSearch: keep(
    "q",
    "status",
    "weekday",
    "category",
    "city",
    "report",
    "leader",
    "tree",
    "view",
    "sort",
  ),
  component: screen(() => import("./cells/list.tsx"), "CellsList", "cells"),
});

const cell = createRoute({
  getParentRoute: () => frame,
  path: "cells/$id",
  validateSearch: keep("tab", "edit"),
  component: screen(() => import("./cells/cell.tsx"), "Cell", "cells"),
});

const report = createRoute({
  getParentRoute: () => frame,
  path: "cells/$id/meetings/$meeting",
  validateSearch: keep("date"),
  component: screen(() => import("./sheet/report.tsx"), "Report", "sheet"),
});

const multiply = createRoute({
  getParentRoute: () => frame,
  path: "cells/$id/multiply",
  staticData: { needs: ["cell-multiplications:write"] },
  component: screen(() => import("./cells/multiply.tsx"), "Multiply", "cells"),
});

const notes = createRoute({
  getParentRoute: () => frame,
  path: "notes",
  staticData: { needs: ["notes:read"] },
  validateSearch: keep("mine", "status", "until"),
  component: screen(() => import("./people/notes.tsx"), "Notes", "people", "records"),
});

const inbox = createRoute({
  getParentRoute: () => frame,
  path: "inbox",
  staticData: {
    needs: ["form-submissions:write", "cell-join-requests:approve", "course-enrollments:write"],
  },
  validateSearch: keep("order", "open"),
  component: screen(() => import("./forms/inbox.tsx"), "Inbox", "forms"),
});

const forms = createRoute({
  getParentRoute: () => frame,
  path: "forms",
  staticData: { needs: ["forms:read"] },
  validateSearch: keep("status"),
  component: screen(() => import("./forms/list.tsx"), "FormsList", "forms"),
});

const newForm = createRoute({
  getParentRoute: () => frame,
  path: "forms/new",
  staticData: { needs: ["forms:write"] },
  component: screen(() => import("./forms/new-form.tsx"), "NewForm", "forms", "records"),
});

const form = createRoute({
  getParentRoute: () => frame,
  path: "forms/$id",
  staticData: { needs: ["forms:read"] },
  validateSearch: keep("tab", "status", "q", "view"),
  component: screen(() => import("./forms/form.tsx"), "FormScreen", "forms", "records"),
});

const submission = createRoute({
  getParentRoute: () => frame,
  path: "forms/$id/submissions/$submission",
  staticData: { needs: ["form-submissions:read"] },
  validateSearch: keep("next"),
  component: screen(() => import("./forms/submission.tsx"), "Submission", "forms"),
});

const webhooks = createRoute({
  getParentRoute: () => frame,
  path: "webhooks",
  staticData: { isForFullAdministrators: true },
  component: screen(() => import("./webhooks/endpoints.tsx"), "Endpoints", "webhooks"),
});

const newEndpoint = createRoute({
  getParentRoute: () => frame,
  path: "webhooks/new",
  staticData: { isForFullAdministrators: true },
  validateSearch: keep("url", "events", "name"),
  component: screen(() => import("./webhooks/new-endpoint.tsx"), "NewEndpoint", "webhooks"),
});

const deliveries = createRoute({
  getParentRoute: () => frame,
  path: "webhooks/deliveries",
  staticData: { isForFullAdministrators: true },
  validateSearch: keep("outcome", "type", "kind", "from", "to", "delivery"),
  component: screen(() => import("./webhooks/all-deliveries.tsx"), "AllDeliveries", "webhooks"),
});

const events = createRoute({
  getParentRoute: () => frame,
  path: "webhooks/events",
  staticData: { isForFullAdministrators: true },
  validateSearch: keep("type", "event"),
  component: screen(() => import("./webhooks/events.tsx"), "Events", "webhooks"),
});

const eventTypes = createRoute({
  getParentRoute: () => frame,
  path: "webhooks/event-types",
  staticData: { isForFullAdministrators: true },
  validateSearch: keep("q"),
  component: screen(() => import("./webhooks/event-types.tsx"), "EventTypes", "webhooks"),
});

const endpoint = createRoute({
  getParentRoute: () => frame,
  path: "webhooks/$id",
  staticData: { isForFullAdministrators: true },
  validateSearch: keep(
    "tab",
    "window",
    "outcome",
    "type",
    "kind",
    "from",
    "to",
    "delivery",
    "open",
  ),
  component: screen(() => import("./webhooks/endpoint.tsx"), "Endpoint", "webhooks"),
});

const secret = createRoute({
  getParentRoute: () => frame,
  path: "webhooks/$id/secret",
  staticData: { isForFullAdministrators: true },
  component: screen(() => import("./webhooks/secret.tsx"), "Secret", "webhooks"),
});

/** The shortcut of the installed app, and of the palette: the report that waits longest. */
const reportNow = createRoute({
  getParentRoute: () => frame,
  path: "report",
  validateSearch: keep<"cell">("cell"),
  beforeLoad: async ({ search: { cell } }) => {
    const { findDueMeeting } = await import("./data/reports.ts");
    const meeting = await findDueMeeting(cell);
    if (meeting)
      throw redirect({ to: "/cells/$id/meetings/$meeting", params: meeting, replace: true });
    if (cell) throw redirect({ to: "/cells/$id", params: { id: cell }, replace: true });
    throw redirect({ to: "/", replace: true });
  },
});

/** The shortcut of the installed app that opens the palette. */
const find = createRoute({
  getParentRoute: () => frame,
  path: "find",
  beforeLoad: () => {
    openOver({ name: "palette" });
    throw redirect({ to: "/", replace: true });
  },
});

const me = createRoute({
  getParentRoute: () => frame,
  path: "me",
  component: screen(() => import("./profile/me.tsx"), "Me", "profile"),
});

const printPeople = createRoute({
  getParentRoute: () => frame,
  path: "print/people",
  staticData: { needs: ["people:read"] },
  validateSearch: readPrintSearch,
  component: screen(() => import("./print/people.tsx"), "PrintPeople", "print", "records"),
});

const printCell = createRoute({
  getParentRoute: () => frame,
  path: "print/cells/$id",
  component: screen(() => import("./print/cell.tsx"), "PrintCell", "print"),
});

const setPassword = createRoute({
  getParentRoute: () => root,
  path: "set-password",
  component: screen(() => import("./app/set-password.tsx"), "SetPassword", "login"),
});

/** An address without a screen keeps the menu. */
const nothing = createRoute({ getParentRoute: () => frame, path: "$", component: NotFound });

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    setPassword,
    frame.addChildren([
      home,
      people,
      newPerson,
      person,
      household,
      cells,
      cell,
      report,
      multiply,
      notes,
      inbox,
      forms,
      newForm,
      form,
      submission,
      webhooks,
      newEndpoint,
      deliveries,
      events,
      eventTypes,
      endpoint,
      secret,
      reportNow,
      find,
      me,
      printPeople,
      printCell,
      nothing,
    ]),
  ]),
  context: { queryClient },
  defaultErrorComponent: Broken,
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
