import assert from "node:assert/strict";
import { parseNetwork } from "../../src/base/networks.ts";
import { judgeAddresses } from "../../src/webhooks/http/public-address.ts";

const loopback = ["127.0.0.0/8", "::1"].map((text) => parseNetwork(text) ?? assert.fail());

/** Treats loopback as public. */
export const judgeLoopback = (addresses: readonly string[]) => judgeAddresses(addresses, loopback);
