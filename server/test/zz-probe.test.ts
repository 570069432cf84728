import { after, test } from "node:test";
import { readFileSync } from "node:fs";
import { startService } from "./support/service.ts";
const service = await startService();
after(() => service.stop());
const rss = async () => {
  const rows = await service.db`select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  let sum = 0;
  for (const { pid } of rows as any) { try { sum += Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0); } catch {} }
  return [rows.length, Math.round(sum / 1024), Math.round(process.memoryUsage().rss / 1e6)];
};
test("probe", { timeout: 200000 }, async () => {
  const names = ["full-name", "created-at", "modified-at", "birthdate", "birth-month-day", "id"];
  const perms: string[] = [];
  const go = (left: string[], at: string[]) => { if (at.length) perms.push(at.join()); for (const n of left) for (const s of ["", "-"]) go(left.filter((x) => x !== n), [...at, s + n]); };
  go(names, []);
  console.log("orders", perms.length, await rss());
  const t = Date.now();
  let n = 0;
  await Promise.all(Array.from({ length: 10 }, async () => { while (n < 3000) { n++; await service.get(`/v1/people?sort=${perms[(n * 7919) % perms.length]}&page[size]=1`); } }));
  console.log("after", n, await rss(), Date.now() - t);
});
