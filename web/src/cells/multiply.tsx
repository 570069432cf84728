import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { ArrowLeft, ArrowRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Failure } from "../app/failure.tsx";
import { EditForm } from "../app/form.tsx";
import { FailureBanner } from "../app/problem-words.tsx";
import { type Form, useForm } from "../app/use-form.tsx";
import {
  type CellRecord,
  cellOptions,
  decideMultiplication,
  type Member,
  membersOptions,
  type Proposal,
  proposalOptions,
  proposeMultiplication,
} from "../data/cells.ts";
import type { Kept } from "../data/cache.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { Card, Facts, Line, Lines } from "../ui/card.tsx";
import { Count } from "../ui/chip.tsx";
import { SelectField, TextArea, TextField } from "../ui/field.tsx";
import { Page } from "../ui/page.tsx";
import { Banner, Skeleton } from "../ui/states.tsx";
import { toast } from "../ui/toasts.tsx";
import styles from "./cell.module.css";

const route = getRouteApi("/frame/cells/$id/multiply");

/** One group becomes two: a proposal, or the decision about one. */
export function Multiply() {
  const { t } = useLingui();
  const { id } = route.useParams();
  const cell = useQuery(cellOptions(id));
  const members = useQuery(membersOptions(id));
  const proposal = useQuery(proposalOptions(id));
  const back = { to: "/cells/$id", params: { id }, label: t`Back to the group` } as const;
  const error = cell.error ?? members.error ?? proposal.error;
  const name = cell.data?.name ?? "";
  return (
    <Page title={<Trans>Multiply {name}</Trans>} documentTitle={t`Multiply ${name}`} back={back}>
      {error ? (
        <Failure
          error={error}
          onRetry={() => void Promise.all([cell, members, proposal].map((one) => one.refetch()))}
        />
      ) : !cell.data || !members.data || proposal.data === undefined ? (
        <Skeleton height={320} />
      ) : proposal.data ? (
        <Decide cell={cell.data} members={members.data} proposal={proposal.data} />
      ) : (
        <Propose cell={cell.data} members={members.data} />
      )}
    </Page>
  );
}

type Typed = {
  "members": string[];
  "leader": string;
  "new-cell": { name: string };
  "note": string | null;
};

function Propose({ cell, members }: { cell: CellRecord; members: Member[] }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const form = useForm<Kept>({
    base: { "members": [], "leader": "", "new-cell": { name: "" }, "note": "" },
    draft: { type: "cells", id: cell.id, card: "multiply" },
    send: (values, { idempotencyKey }) => {
      const { leader, ...proposal } = values as Typed;
      return proposeMultiplication(
        { ...proposal, "parent-cell": cell.id, "leaders": [leader] },
        idempotencyKey,
      );
    },
    touches: ["cell-multiplications"],
    onSaved: () => toast(t`The proposal is sent`),
    onCancel: () => void navigate({ to: "/cells/$id", params: { id: cell.id } }),
  });
  const { value: ids, onChange: move } = form.control<readonly string[]>("members");
  const leader = form.text("leader");
  const name = form.text("new-cell.name");
  const moving = new Set(ids);
  const staying = members.filter(({ person }) => !moving.has(person.id));
  const going = members.filter(({ person }) => moving.has(person.id));
  const toggle = (personId: string) =>
    move(moving.has(personId) ? ids.filter((id) => id !== personId) : [...ids, personId]);
  const reason =
    going.length === 0
      ? t`Choose first who goes to the new group.`
      : !moving.has(String(leader.value))
        ? t`Choose the leader of the new group.`
        : String(name.value).trim() === ""
          ? t`Name the new group.`
          : undefined;
  return (
    <EditForm form={form as Form} submit={<Trans>Propose</Trans>} reason={reason} isPlain>
      <div className={styles.pair}>
        <Column title={<Trans>Stay in {cell.name}</Trans>} members={staying} onMove={toggle} />
        <Column title={<Trans>Go to the new group</Trans>} members={going} onMove={toggle} isNew />
      </div>
      <div className={styles.form}>
        <TextField {...name} label={<Trans>Name of the new group</Trans>} maxLength={255} />
        <SelectField
          {...leader}
          label={<Trans>Its leader</Trans>}
          options={[
            ["", t`Choose`],
            ...going.map(({ person }) => [person.id, person["full-name"]] as const),
          ]}
        />
        <TextArea {...form.text("note")} label={<Trans>Note for the supervisor</Trans>} />
      </div>
    </EditForm>
  );
}

/** A list of people. A tap moves a person to the other side. */
function Column({
  title,
  members,
  onMove,
  isNew = false,
}: {
  title: ReactNode;
  members: Member[];
  onMove: (personId: string) => void;
  isNew?: boolean;
}) {
  const { t } = useLingui();
  const Arrow = isNew ? ArrowLeft : ArrowRight;
  return (
    <Card title={title} count={<Count value={members.length} />}>
      <ul>
        {members.map(({ person }) => {
          const name = person["full-name"];
          return (
            <li key={person.id}>
              <button
                type="button"
                className={styles.person}
                aria-label={isNew ? t`${name} stays` : t`${name} goes to the new group`}
                onClick={() => onMove(person.id)}
              >
                <Avatar name={name} photo={person["photo-url"]} />
                <bdi>{name}</bdi>
                <Arrow size={16} data-points />
              </button>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function Decide({
  cell,
  members,
  proposal,
}: {
  cell: CellRecord;
  members: Member[];
  proposal: Proposal;
}) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [reason, setReason] = useState<string>();
  const goingIds = new Set(proposal.members?.map(({ id }) => id));
  const leaderIds = new Set(proposal.leaders?.map(({ id }) => id));
  const newCell = proposal["new-cell"];
  const write = useWrite(
    (decision: Parameters<typeof decideMultiplication>[1], { idempotencyKey }) =>
      decideMultiplication(proposal, decision, idempotencyKey),
    {
      touches: ["cell-multiplications", "cells", "cell-memberships", "people"],
      onDone: (decided) => {
        const result = decided["resulting-cell"];
        toast(result ? t`${newCell.name} is a group now` : t`The proposal is rejected`);
        void navigate({ to: "/cells/$id", params: { id: result?.id ?? cell.id } });
      },
    },
  );
  const mayDecide = proposal.$meta?.may?.actions?.approve === true;
  const names = (ids: ReadonlySet<string>, isIn: boolean) =>
    members.filter(({ person }) => ids.has(person.id) === isIn);
  return (
    <>
      <FailureBanner error={write.error} />
      {!mayDecide && (
        <Banner>
          <Trans>The proposal waits for a decision.</Trans>
        </Banner>
      )}
      <Facts
        facts={[
          [t`New group`, <bdi key="name">{newCell.name}</bdi>],
          [t`Note`, proposal.note],
        ]}
      />
      <div className={styles.pair}>
        <People
          title={<Trans>Stay in {cell.name}</Trans>}
          members={names(goingIds, false)}
          leaderIds={leaderIds}
        />
        <People
          title={<Trans>Go to {newCell.name}</Trans>}
          members={names(goingIds, true)}
          leaderIds={leaderIds}
        />
      </div>
      {mayDecide && (
        <div className={styles.decision} data-bar>
          {reason !== undefined && (
            <TextField
              label={<Trans>Reason</Trans>}
              value={reason}
              maxLength={500}
              onChange={({ currentTarget: { value } }) => setReason(value)}
            />
          )}
          <div className={styles.tools}>
            <Button
              kind="danger"
              busy={write.isPending}
              onClick={() =>
                reason === undefined
                  ? setReason("")
                  : write.mutate({
                      values: { "status": "rejected", "decline-reason": reason.trim() || null },
                      intent: newIntent(),
                    })
              }
            >
              <Trans>Reject</Trans>
            </Button>
            {reason === undefined ? (
              <Button
                kind="filled"
                busy={write.isPending}
                onClick={() =>
                  write.mutate({ values: { status: "approved" }, intent: newIntent() })
                }
              >
                <Trans>Approve</Trans>
              </Button>
            ) : (
              <Button onClick={() => setReason(undefined)}>
                <Trans>Back</Trans>
              </Button>
            )}
          </div>
        </div>
      )}
    </>
  );
}

function People({
  title,
  members,
  leaderIds,
}: {
  title: ReactNode;
  members: Member[];
  leaderIds: ReadonlySet<string>;
}) {
  return (
    <Card title={title} count={<Count value={members.length} />}>
      <Lines>
        {members.map(({ id, person }) => (
          <Line
            key={id}
            face={<Avatar name={person["full-name"]} photo={person["photo-url"]} />}
            title={
              <Link to="/people/$id" params={{ id: person.id }}>
                {person["full-name"]}
              </Link>
            }
            detail={leaderIds.has(person.id) ? <Trans>leads the new group</Trans> : undefined}
          />
        ))}
      </Lines>
    </Card>
  );
}
