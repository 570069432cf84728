import { useLingui } from "@lingui/react/macro";
import type { PersonMembershipStatus } from "@vestry/sdk";
import { useSession } from "../app/session.tsx";
import { Chip } from "../ui/chip.tsx";
import { membershipStatuses, membershipTones } from "./enums.ts";

/** The words for a status: those of the church, or the usual ones. */
export function useMembershipWords(): (status: PersonMembershipStatus) => string {
  const { i18n } = useLingui();
  const own = useSession().account.settings["member-statuses"];
  return (status) => own?.[status] ?? i18n._(membershipStatuses[status]);
}

/** Normal statuses are plain text. Those that deserve a look are chips. */
export function MembershipStatus({ status }: { status: PersonMembershipStatus }) {
  const words = useMembershipWords()(status);
  const tone = membershipTones[status];
  return tone === undefined ? words : <Chip tone={tone}>{words}</Chip>;
}
