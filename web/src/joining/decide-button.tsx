import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { holdsEverywhere, mayAct } from "../app/may.ts";
import { useSession } from "../app/session.tsx";
import { requestOptions, type RequestType } from "../data/join-requests.ts";
import { Button } from "../ui/button.tsx";
import { WriteButton } from "../ui/reach.tsx";
import styles from "./joining.module.css";

/** *Decide* of a request. For a caller who reads the request and may not decide it, the person who may, and a way to write. */
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
  // Requests to enroll are read by those who decide them.
  const decidesAll =
    holdsEverywhere(useSession(), "cell-join-requests:approve") || type !== "cell-join-requests";
  const { data: request } = useQuery({ ...requestOptions(type, id), enabled: !decidesAll });
  if (decidesAll || mayAct(request, "accept") === true)
    return (
      <Button onClick={onDecide} aria-label={t`Decide: ${name}`}>
        <Trans>Decide</Trans>
      </Button>
    );
  if (!request) return null;
  const [decider] = request.deciders;
  if (!decider)
    return (
      <span className={styles.decider}>
        <Trans>An administrator can decide</Trans>
      </span>
    );
  const deciderName = decider["full-name"];
  return (
    <>
      <span className={styles.decider}>
        <Trans>
          <Link to="/people/$id" params={{ id: decider.id }}>
            <bdi>{deciderName}</bdi>
          </Link>{" "}
          can decide
        </Trans>
      </span>
      <WriteButton name={deciderName} phones={decider.phones} email={decider.email} />
    </>
  );
}
