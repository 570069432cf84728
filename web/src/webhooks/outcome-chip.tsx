import { useLingui } from "@lingui/react/macro";
import { CircleCheck, CircleSlash, CircleX, Clock } from "lucide-react";
import type { ReactNode } from "react";
import type { DeliveryOutcome, DeliveryRow } from "../data/webhooks.ts";
import { Chip } from "../ui/chip.tsx";
import { outcomeOf, outcomeTones, outcomeWords, stateWords } from "./words.ts";

const icons: Readonly<Record<DeliveryOutcome, ReactNode>> = {
  failed: <CircleX size={14} />,
  waiting: <Clock size={14} />,
  delivered: <CircleCheck size={14} />,
  suppressed: <CircleSlash size={14} />,
};

/** The outcome of a delivery. Its exact state is the tooltip, and stands in the drawer. */
export function OutcomeChip({ status }: Pick<DeliveryRow, "status">) {
  const { i18n } = useLingui();
  const outcome = outcomeOf(status);
  return (
    <span title={i18n._(stateWords[status])}>
      <Chip tone={outcomeTones[outcome]} icon={icons[outcome]}>
        {i18n._(outcomeWords[outcome])}
      </Chip>
    </span>
  );
}
