import { Plural, Trans, useLingui } from "@lingui/react/macro";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRightLeft, Ellipsis, Plus, UserMinus, UserRoundCog } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Failure } from "../app/failure.tsx";
import type { CellRecord, Member } from "../data/cells.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { Line } from "../ui/card.tsx";
import { formatDate } from "../ui/format.ts";
import { useNameSearch } from "../ui/name-search.tsx";
import { MenuButton } from "../ui/popover.tsx";
import { CallButton, WriteButton } from "../ui/reach.tsx";
import { EmptyState, Skeleton } from "../ui/states.tsx";
import styles from "./cell.module.css";
import { rightsOf } from "./rights.ts";
import { cellRoles } from "./words.ts";

const AddMember = lazy(() =>
  import("./add-member.tsx").then((late) => ({ default: late.AddMember })),
);
const EndMembership = lazy(() =>
  import("./end-membership.tsx").then((late) => ({ default: late.EndMembership })),
);
const ChangeRole = lazy(() =>
  import("./change-role.tsx").then((late) => ({ default: late.ChangeRole })),
);
const TransferMembers = lazy(() =>
  import("./transfer-members.tsx").then((late) => ({ default: late.TransferMembers })),
);

/** What the service accepts in one transfer. */
const MOST_TRANSFERRED = 100;

type Asking = { act: "end" | "role"; id: string } | { act: "transfer" } | { act: "add" };

export function Members({ cell, query }: { cell: CellRecord; query: UseQueryResult<Member[]> }) {
  const { t, i18n } = useLingui();
  const { may } = rightsOf(cell);
  const [asking, setAsking] = useState<Asking>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const members = query.data;
  const { found, search } = useNameSearch(members ?? [], ({ person }) => [
    person["full-name"],
    person["preferred-name"] ?? null,
  ]);
  if (members === undefined)
    return query.error ? (
      <Failure error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton height={320} />
    );
  const isOpen = cell.status !== "closed";
  const mayAdd = may("add-member") === true && isOpen;
  const close = () => setAsking(undefined);
  const asked = asking && "id" in asking && members.find(({ id }) => id === asking.id);
  const picked = members.filter(({ id }) => chosen?.has(id));

  return (
    <>
      {mayAdd && !chosen && (
        <div className={styles.tools}>
          <Button icon={<Plus size={16} />} onClick={() => setAsking({ act: "add" })}>
            <Trans>Add a member</Trans>
          </Button>
          {members.length > 0 && (
            <Button icon={<ArrowRightLeft size={16} />} onClick={() => setChosen(new Set())}>
              <Trans>Transfer members</Trans>
            </Button>
          )}
        </div>
      )}
      {chosen && (
        <div className={styles.selected} role="status">
          <span>
            <Plural value={chosen.size} one="# chosen" other="# chosen" />
          </span>
          <Button
            kind="filled"
            reason={
              chosen.size === 0
                ? t`Choose first who goes to another group.`
                : chosen.size > MOST_TRANSFERRED
                  ? t`At most 100 people can be transferred at once.`
                  : undefined
            }
            onClick={() => setAsking({ act: "transfer" })}
          >
            <Trans>Transfer to …</Trans>
          </Button>
          <Button onClick={() => setChosen(undefined)}>
            <Trans>Cancel</Trans>
          </Button>
        </div>
      )}
      {members.length === 0 ? (
        <EmptyState title={<Trans>Nobody is in this group yet</Trans>}>
          {mayAdd && <Trans>Add the first member, or wait for a request.</Trans>}
        </EmptyState>
      ) : (
        <>
          {search}
          <ul className={styles.members}>
            {found.map((member) => {
              const { id, person } = member;
              const name = person["full-name"];
              return (
                <Line
                  key={id}
                  face={
                    chosen ? (
                      <input
                        type="checkbox"
                        className={styles.pick}
                        aria-label={name}
                        checked={chosen.has(id)}
                        onChange={({ currentTarget: { checked } }) => {
                          const next = new Set(chosen);
                          if (checked) next.add(id);
                          else next.delete(id);
                          setChosen(next);
                        }}
                      />
                    ) : (
                      <Avatar name={name} photo={person["photo-url"]} />
                    )
                  }
                  title={
                    <Link to="/people/$id" params={{ id: person.id }}>
                      {name}
                    </Link>
                  }
                  detail={
                    <Trans>
                      {i18n._(cellRoles[member["cell-role"]])} · since{" "}
                      {formatDate(member["joined-on"], "shortMonth")}
                    </Trans>
                  }
                >
                  {!chosen && (
                    <>
                      <span className={styles.onDesktops}>
                        <WriteButton name={name} phones={person.phones} />
                      </span>
                      <CallButton name={name} phones={person.phones} />
                      {mayAdd && (
                        <MenuButton
                          trigger={{
                            iconOnly: true,
                            label: t`More about ${name}`,
                            icon: <Ellipsis size={18} />,
                          }}
                          entries={[
                            {
                              id: "role",
                              label: t`Change the role`,
                              icon: <UserRoundCog size={16} />,
                              onSelect: () => setAsking({ act: "role", id }),
                            },
                            {
                              id: "end",
                              label: t`End the membership`,
                              icon: <UserMinus size={16} />,
                              isDanger: true,
                              onSelect: () => setAsking({ act: "end", id }),
                            },
                          ]}
                        />
                      )}
                    </>
                  )}
                </Line>
              );
            })}
          </ul>
        </>
      )}
      <Suspense>
        {asking?.act === "add" && <AddMember cell={cell} members={members} onClose={close} />}
        {asking?.act === "end" && asked && (
          <EndMembership cell={cell} member={asked} onClose={close} />
        )}
        {asking?.act === "role" && asked && <ChangeRole member={asked} onClose={close} />}
        {asking?.act === "transfer" && (
          <TransferMembers
            cell={cell}
            members={picked}
            onClose={(isDone) => {
              close();
              if (isDone) setChosen(undefined);
            }}
          />
        )}
      </Suspense>
    </>
  );
}
