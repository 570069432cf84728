import { Trans, useLingui } from "@lingui/react/macro";
import type { RequestType } from "../data/join-requests.ts";
import { Button } from "../ui/button.tsx";
import { Decider, useDecision } from "./decider.tsx";

/** *Decide* of a request. For a caller who reads the request and may not decide it, the person who may. */
export function DecideButton({
  type,
  id,
  name,
  onDecide,
}: {
  type: RequestType;
  id: string;
  name: string;
  onDecide: () => void;
}) {
  const { t } = useLingui();
  const { decider, mayDecide } = useDecision(type, id);
  if (!mayDecide) return decider === undefined ? null : <Decider decider={decider} />;
  return (
    <Button onClick={onDecide} aria-label={t`Decide: ${name}`}>
      <Trans>Decide</Trans>
    </Button>
  );
}
