import type { Db } from "../../store/db.ts";
import type { Network } from "../../base/networks.ts";
import { judgeAddresses } from "../http/public-address.ts";

export interface RefusedEndpoint {
  readonly id: string;
  /** The account's alias. */
  readonly alias: string;
  /** The URL without the path, which may contain a password. */
  readonly origin: string;
}

export interface RefusedEndpoints {
  /** Endpoints whose host is an address outside these networks. The next message pauses them. */
  readonly atRisk: readonly RefusedEndpoint[];
  /** Endpoints paused for `security-policy`. Only setting the URL resumes them. */
  readonly paused: readonly RefusedEndpoint[];
}

/** Finds endpoints of active accounts whose address blocks delivery. Host names are not resolved here. */
export async function refusedEndpoints(
  db: Db,
  allowed: readonly Network[],
): Promise<RefusedEndpoints> {
  const rows = await db<{ id: string; alias: string; url: string; paused: boolean }[]>`
    select endpoint.id, alias, normalized_url as url, pause_reason is not distinct from 'security-policy' as paused
    from webhook_endpoints endpoint join account_facts account on account.account_id = endpoint.account_id
    where endpoint.status <> 'deleted' and account.status = 'active'
      and (pause_reason = 'security-policy' or normalized_url ~ '^https://([[]|[0-9.]+[:/])')
    order by alias, endpoint.id`;
  const named = ({ alias, id, url }: (typeof rows)[number]) => ({
    id,
    alias,
    origin: new URL(url).origin,
  });
  return {
    atRisk: rows.filter(({ paused, url }) => !paused && isRefused(url, allowed)).map(named),
    paused: rows.filter(({ paused }) => paused).map(named),
  };
}

function isRefused(url: string, allowed: readonly Network[]): boolean {
  const address = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
  return judgeAddresses([address], allowed).verdict === "refused";
}
