import { Trans, useLingui } from "@lingui/react/macro";
import { failureWords, statusIn } from "./words.ts";

/** An error code of an attempt in a sentence or two, with the next step. `message` stands for codes without words. */
export function FailureSentence({
  code,
  message,
}: {
  code: string;
  message?: string | null | undefined;
}) {
  const { i18n } = useLingui();
  const [status, words] = [statusIn(code), failureWords(code)];
  if (words === undefined)
    return message ? <span lang="en">{message}</span> : <code dir="ltr">{code}</code>;
  return (
    <>
      {status !== undefined && (
        <>
          <Trans>The receiver answered {status}.</Trans>{" "}
        </>
      )}
      {i18n._(words)}
    </>
  );
}
