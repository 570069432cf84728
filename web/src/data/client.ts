import { Vestry } from "@vestry/sdk";
import { observedFetch } from "./connection.ts";
import { keys } from "./keys.ts";
import { ownerId } from "./kept.ts";
import { happensOnce } from "./once.ts";
import { queryClient } from "./query-client.ts";

/** A session that ended, another person in it, and a right that was lost redraw the frame around every screen. */
const watchfulFetch: typeof fetch = async (address, request) => {
  const response = await observedFetch(address, request);
  if (address !== "/session" && (response.status === 401 || response.status === 403))
    void queryClient.invalidateQueries({ queryKey: keys.session });
  return response;
};

/** The service that serves this page. The session is a cookie, which script cannot read. */
export const api = new Vestry({ url: "", fetch: happensOnce(watchfulFetch), person: ownerId });
