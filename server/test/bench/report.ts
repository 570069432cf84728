import { cpus, totalmem } from "node:os";
import type { Db } from "../../src/store/db.ts";
import type { Compared } from "./against.ts";
import { type Budget, isWithin, type Judged } from "./budgets.ts";
import type { PathFigures, PathsResult } from "./path.ts";
import type { RoutesResult } from "./routes.ts";
import type { ScaleResult } from "./scale.ts";
import type { WebhooksResult } from "./webhooks/benches.ts";

export interface Machine {
  processors: string;
  memoryGiB: number;
  node: string;
  postgresql: string;
}

export async function machine(db: Db): Promise<Machine> {
  const [row] = await db<{ server_version: string }[]>`show server_version`;
  return {
    processors: `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}`,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    postgresql: row?.server_version ?? "unknown",
  };
}

const machineLine = ({ processors, memoryGiB, node, postgresql }: Machine) =>
  `${processors}, ${memoryGiB} GiB, Node ${node}, PostgreSQL ${postgresql}\n`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((word, at) =>
    Math.max(word.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const pad = (word: string, at: number) =>
    at === 0 ? word.padEnd(widths[at] ?? 0) : word.padStart(widths[at] ?? 0);
  const line = (words: readonly string[]) => `| ${words.map(pad).join(" | ")} |`;
  const rule = `|${widths.map((width, at) => (at === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

const whole = (value: number) => Math.round(value).toLocaleString("en");
const milliseconds = (value: number) => value.toFixed(value < 10 ? 2 : 1);

export function routesTable(result: RoutesResult & { machine: Machine }): string {
  const head = ["", "", "requests/s", "p50 ms", "p99 ms", "own CPU µs", "ratio"];
  const rows = result.routes.flatMap(({ title, service, floor, ratio }) =>
    (
      [
        [title, "service", service, ratio.toFixed(2)],
        ["", "floor", floor, ""],
      ] as const
    ).map(([name, which, figures, share]) => [
      name,
      which,
      whole(figures.perSecond),
      milliseconds(figures.p50),
      milliseconds(figures.p99),
      whole(figures.cpuMicroseconds),
      share,
    ]),
  );
  return [
    machineLine(result.machine),
    table(head, rows),
    `\nMost memory the service's process held: ${whole(result.serviceMaxRssBytes / 2 ** 20)} MiB`,
  ].join("\n");
}

const pathFigures: readonly [name: keyof PathFigures, what: string][] = [
  ["perSecond", "/s"],
  ["processorMicroseconds", "processor time of one, µs"],
  ["serviceMicroseconds", "… of the service"],
  ["databaseMicroseconds", "… of PostgreSQL"],
  ["statements", "statements"],
  ["serviceSwitches", "waits of the service"],
  ["databaseSwitches", "waits of PostgreSQL"],
  ["walBytes", "bytes of log"],
];

/** With two states, the ratios of their processor times in each turn. */
export function pathTable({ machine: about, path }: PathsResult): string {
  const amount = (value: number) => (value < 100 ? value.toFixed(1) : whole(value));
  const tables = path.map(({ figures, ratios, title }) => {
    const states = figures.length === 1 ? ["measured"] : ["there", "here"];
    const rows = pathFigures.map(([name, what]) => [
      what,
      ...figures.map((one) => amount(one[name])),
    ]);
    const turns = ratios.map((ratio) => ratio.toFixed(2)).join(", ");
    const compared = figures.length === 1 ? "" : `\nProcessor time, here to there: ${turns}\n`;
    return `${table([title, ...states], rows)}\n${compared}`;
  });
  return [machineLine(about), ...tables].join("\n");
}

export function scaleTable(result: ScaleResult & { machine: Machine }): string {
  if (result.pages.length === 0)
    return [machineLine(result.machine), budgetsTable(result.network)].join("\n");
  const head = ["", "of 5,000: ms", "of 100,000: ms", "ratio"];
  const rows = result.pages.map(({ title, small, large }) => [
    title,
    milliseconds(small),
    milliseconds(large),
    (large / small).toFixed(2),
  ]);
  return [
    machineLine(result.machine),
    `${whole(result.people)} people in ${whole(result.accounts)} accounts\n`,
    table(head, rows),
    budgetsTable(result.network),
  ].join("\n");
}

export function againstTable(compared: readonly Compared[]): string {
  const rows = compared.map(({ here, other, ratio, what }) => [
    what,
    other.toPrecision(3),
    here.toPrecision(3),
    ratio.toFixed(2),
  ]);
  return table(["figure", "there", "here", "ratio"], rows);
}

const budgetText = ({ atLeast, below }: Budget): string =>
  [
    ...(atLeast === undefined ? [] : [`≥ ${atLeast}`]),
    ...(below === undefined ? [] : [`< ${whole(below)}`]),
  ].join(", ");

export function budgetsTable(judged: readonly Judged[]): string {
  const rows = judged.map((one) => [
    one.what,
    one.value.toFixed(one.value < 10 ? 2 : 1),
    budgetText(one.budget),
    isWithin(one) ? "ok" : "MISSED",
  ]);
  return table(["budget", "measured", "limit", ""], rows);
}

export function webhooksTables(result: WebhooksResult & { machine: Machine }): string {
  const head = ["", "measured", "floor", "ratio", "budget"];
  const figure = (value: number | undefined, unit: string) =>
    value === undefined
      ? ""
      : `${value < 100 ? value.toPrecision(3) : whole(value)} ${unit}`.trim();
  const tables = result.webhooks.map(({ figures, title }) => {
    const rows = figures.map(({ budget, floor, measured, ratio, unit, what }) => [
      what,
      figure(measured, unit),
      figure(floor, unit),
      ratio?.toFixed(2) ?? "",
      budget ? budgetText(budget) : "",
    ]);
    return `${title}\n\n${table(head, rows)}\n`;
  });
  return [machineLine(result.machine), ...tables].join("\n");
}
