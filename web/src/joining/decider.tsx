import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Person } from "@vestry/sdk";
import { holdsEverywhere, mayAct } from "../app/may.ts";
import { useSession } from "../app/session.tsx";
import { requestOptions, type RequestType } from "../data/join-requests.ts";
import { WriteButton } from "../ui/reach.tsx";
import styles from "./joining.module.css";

type DecidingPerson = Pick<Person, "id" | "full-name" | "phones" | "email">;

interface Decision {
  mayDecide: boolean;
  /** For a caller who may not decide: somebody who may, or null for an administrator. Undefined until the request was read. */
  decider: DecidingPerson | null | undefined;
}

/** Whether the caller may decide a request that the caller reads. */
export function useDecision(type: RequestType, id: string): Decision {
  // Requests to enroll are read by those who decide them.
  const decidesAll =
    holdsEverywhere(useSession(), "cell-join-requests:approve") || type !== "cell-join-requests";
  const { data: request } = useQuery({ ...requestOptions(type, id), enabled: !decidesAll });
  if (decidesAll || mayAct(request, "accept") === true)
    return { mayDecide: true, decider: undefined };
  return { mayDecide: false, decider: request && (request.deciders[0] ?? null) };
}

/** The person who may decide, and a way to write. */
export function Decider({ decider }: { decider: DecidingPerson | null }) {
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
