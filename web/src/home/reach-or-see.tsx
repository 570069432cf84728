import { Trans, useLingui } from "@lingui/react/macro";
import { useSession } from "../app/session.tsx";
import { LinkButton } from "../ui/button.tsx";
import { CallButton, WriteButton } from "../ui/reach.tsx";
import { firstPhone, type Telephone } from "../ui/reach-links.ts";

/** Writes to a person, or also calls. A person without a telephone has a page, at least. */
export function ReachOrSee({
  person,
  calls = false,
}: {
  person: { id: string; "full-name": string; phones?: readonly Telephone[] };
  calls?: boolean;
}) {
  const { t } = useLingui();
  const me = useSession().person;
  const { id, "full-name": name, phones } = person;
  if (id === me.id || firstPhone(phones) === undefined)
    return (
      <LinkButton to="/people/$id" params={{ id }} aria-label={t`See ${name}`}>
        <Trans>See</Trans>
      </LinkButton>
    );
  return (
    <>
      <WriteButton name={name} phones={phones} />
      {calls && <CallButton name={name} phones={phones} />}
    </>
  );
}
