import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { useSession } from "../app/session.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Card, Line, Lines } from "../ui/card.tsx";

/** The classes that the caller teaches, each with the way to its students. */
export function OwnClasses() {
  const { t } = useLingui();
  const { teaches } = useSession();
  return (
    <Card title={<Trans>My classes</Trans>}>
      <Lines>
        {teaches.map(({ id, name }) => {
          const students = { to: "/people", search: { class: id } } as const;
          return (
            <Line key={id} face={<Avatar name={name} />} title={<Link {...students}>{name}</Link>}>
              <LinkButton {...students} aria-label={t`Students of ${name}`}>
                <Trans>Students</Trans>
              </LinkButton>
            </Line>
          );
        })}
      </Lines>
    </Card>
  );
}
