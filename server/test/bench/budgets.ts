import type { RoutesResult } from "./routes.ts";
import type { ScaleResult } from "./scale.ts";
import type { Figure, WebhooksResult } from "./webhooks/benches.ts";

/** A limit, not an aim: above it, simpler code wins over faster code. */
export interface Budget {
  readonly atLeast?: number;
  readonly below?: number;
}

/** The least ratio of requests per second, service against floor. */
const RATIO_MIN: Readonly<Record<string, number>> = {
  read: 0.7,
  list: 0.7,
  include: 0.7,
  patch: 0.55,
};
const SERVICE_MIB = 220;
/** The longest time for a first page of an account with 100,000 people. */
const FIRST_PAGE_MS = 60;

export interface Judged {
  readonly what: string;
  readonly value: number;
  readonly budget: Budget;
}

export const isWithin = ({ budget: { atLeast, below }, value }: Judged): boolean =>
  (atLeast === undefined || value >= atLeast) && (below === undefined || value < below);

export function judgeRoutes({ routes, serviceMaxRssBytes }: RoutesResult): Judged[] {
  return [
    ...routes.map(({ name, ratio, title }) => ({
      what: `${title}: ratio to the floor`,
      value: ratio,
      budget: { atLeast: RATIO_MIN[name] ?? 0 },
    })),
    {
      what: "memory of the service under load, MiB",
      value: serviceMaxRssBytes / 2 ** 20,
      budget: { below: SERVICE_MIB },
    },
  ];
}

export const judgeScale = ({ network, pages }: ScaleResult): Judged[] => [
  ...pages.map(({ large, title }) => ({
    what: `100,000 people, ${title}: ms`,
    value: large,
    budget: { below: FIRST_PAGE_MS },
  })),
  ...network,
];

export const judgeWebhooks = ({ webhooks }: WebhooksResult): Judged[] =>
  webhooks.flatMap(({ figures }) => figures.flatMap(judgeFigure));

/** The ratio to the floor is judged where a budget names it, else the figure itself. */
function judgeFigure({ budget, measured, ratio, unit, what }: Figure): Judged[] {
  if (!budget) return [];
  const { of, ...limits } = budget;
  return of === "ratio"
    ? [{ what: `${what}: ratio to the floor`, value: ratio ?? Number.NaN, budget: limits }]
    : [{ what: `${what}: ${unit}`, value: measured, budget: limits }];
}
