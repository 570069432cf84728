import { MINUTE } from "../../src/base/clock.ts";

/** A test waits this long for another process, which may share its processor with many others. */
export const PATIENCE_MS = MINUTE;

/** The limits of connections of tests. Those of the service would fail tests on a busy machine. */
export const patient = {
  answerMsMax: PATIENCE_MS,
  connectMsMax: PATIENCE_MS,
  statementMsMax: PATIENCE_MS,
  waitMsMax: PATIENCE_MS,
} as const;
