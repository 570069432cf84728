import type { Db } from "../../store/db.ts";
import type { Network } from "../../base/networks.ts";
import { judgeAddresses } from "../http/public-address.ts";

export interface RefusedEndpoint {
  readonly id: string;
  /** The church's. */
  readonly alias: string;
  /** Without the path, which may carry a receiver's password. */
  readonly origin: string;
}

export interface RefusedEndpoints {
  /** The host is itself an address that these networks do not let through: the next message pauses the endpoint. */
  readonly atRisk: readonly RefusedEndpoint[];
  /** Paused for `security-policy`, whatever the networks are now: only setting the URL brings them back. */
  readonly paused: readonly RefusedEndpoint[];
}

/** Endpoints of open churches that get nothing for their address' sake. What is behind a name is asked when it is called. */
export async function refusedEndpoints(
  db: Db,
  allowed: readonly Network[],
): Promise<RefusedEndpoints> {
  const rows = await db<{ id: string; alias: string; url: string; paused: boolean }[]>`
    select endpoint.id, alias, normalized_url as url, pause_reason is not distinct from 'security-policy' as paused
    from webhook_endpoints endpoint join accounts on accounts.id = endpoint.account_id
    where endpoint.status <> 'deleted' and accounts.status = 'active'
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
