import { Trans } from "@lingui/react/macro";
import type { VestryError } from "@vestry/sdk";
import { lazy, Suspense } from "react";
import type { ProblemCause } from "../data/problems.ts";
import { Banner } from "../ui/states.tsx";
import { withTexts } from "./languages.ts";

// The sentences are many, and most pages show none of them.
const sentences = () => withTexts(() => import("./problem-sentences.tsx"), "problems");

const ProblemSentence = lazy(() =>
  sentences().then(
    (module) => ({ default: module.ProblemSentence }),
    () => ({ default: ({ problem }: { problem: ProblemCause }) => <Detail of={problem} /> }),
  ),
);

const FailureSentence = lazy(() =>
  sentences().then(
    (module) => ({ default: module.FailureSentence }),
    () => ({ default: ({ error }: { error: VestryError }) => <Detail of={error} /> }),
  ),
);

/** An error in the language of the reader. */
export const ProblemWords = ({ problem }: { problem: ProblemCause }) =>
  problem.code === UNREACHABLE ? (
    <Unreachable />
  ) : (
    <Suspense>
      <ProblemSentence problem={problem} />
    </Suspense>
  );

/** The first error of a response, in the language of the reader. */
export const FailureWords = ({ error }: { error: VestryError }) =>
  error.code === UNREACHABLE ? (
    <Unreachable />
  ) : (
    <Suspense>
      <FailureSentence error={error} />
    </Suspense>
  );

/** A write that failed, at the place of its button. */
export const FailureBanner = ({ error }: { error: VestryError | null }) =>
  error && (
    <Banner tone="bad">
      <FailureWords error={error} />
    </Banner>
  );

const UNREACHABLE = "unreachable";

/** Without a connection, no other sentence can be fetched. */
const Unreachable = () => (
  <Trans>
    No connection. What you entered is still here. Try again when the connection returns.
  </Trans>
);

const Detail = ({ of: { detail } }: { of: { detail?: string | undefined } }) => (
  <span lang="en">{detail}</span>
);
