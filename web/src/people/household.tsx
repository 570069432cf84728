import type { MessageDescriptor } from "@lingui/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Ellipsis, Pencil, Plus, Trash2, UserMinus } from "lucide-react";
import { Fragment, useState } from "react";
import { Failure } from "../app/failure.tsx";
import { DraftOffer, EditForm, useDraft } from "../app/form.tsx";
import { mayAct, mayWrite, useHolds } from "../app/may.ts";
import { useSession } from "../app/session.tsx";
import { type Form, useForm } from "../app/use-form.tsx";
import { markStale } from "../data/cache.ts";
import type { Values } from "../data/conflict.ts";
import {
  addMember,
  changeHousehold,
  changeMember,
  deleteHousehold,
  householdAgain,
  type HouseholdMember,
  householdOptions,
  type HouseholdRecord,
  memberAgain,
  type MemberPlace,
  removeMember,
} from "../data/households.ts";
import { keys } from "../data/keys.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { householdRoles, pickUpRights } from "../records/enums.ts";
import { PersonCombo } from "../records/person-combo.tsx";
import { AddressField, AddressText, type AddressValue } from "../ui/address-field.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { Card, Facts, Line, Lines } from "../ui/card.tsx";
import { Count } from "../ui/chip.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import { Page } from "../ui/page.tsx";
import { MenuButton } from "../ui/popover.tsx";
import { Skeleton } from "../ui/states.tsx";
import { Ltr } from "../ui/text.tsx";
import { useCustomFields } from "./custom-fields.tsx";
import { NotesCard } from "./notes-card.tsx";
import { FailureBanner } from "../app/problem-words.tsx";
import { WriteDialog } from "../app/write-dialog.tsx";
import { inputErrors } from "./person-fields.tsx";
import styles from "./person.module.css";

const route = getRouteApi("/frame/households/$id");

type WithRights = HouseholdRecord & { $meta?: object };
type NewMember = Omit<Parameters<typeof addMember>[0], "household">;

/** People who live together, and what they share. */
export function Household() {
  const { t } = useLingui();
  const { id } = route.useParams();
  const { data: household, error, refetch } = useQuery(householdOptions(id));
  const readsNotes = useHolds("notes:read");
  const name = household?.name ?? t`Household`;
  return (
    <Page
      title={<bdi>{name}</bdi>}
      documentTitle={t`${name} · People`}
      back={{ to: "/people", label: t`Back to the people` }}
      actions={household && <HouseholdMenu household={household} />}
    >
      {error && !household && <Failure error={error} onRetry={() => void refetch()} />}
      {!household && !error && <Skeleton height={240} />}
      {household && (
        <div className={styles.columns}>
          <div className={styles.column}>
            <Members household={household} />
            {readsNotes && <NotesCard about={{ id: household.id, $type: "households" }} />}
          </div>
          <div className={styles.column}>
            <About household={household} />
          </div>
        </div>
      )}
    </Page>
  );
}

function HouseholdMenu({ household }: { household: WithRights }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const remove = useWrite(() => deleteHousehold(household.id, household.$etag), {
    touches: ["notes"],
    onDone: () =>
      void navigate({ to: "/people" }).then(() => {
        client.removeQueries({ queryKey: keys.one("households", household.id, "screen") });
        markStale(client, ["households", "people"]);
      }),
  });
  if (mayAct(household, "delete") === false) return null;
  return (
    <>
      <MenuButton
        trigger={{ iconOnly: true, label: t`More`, icon: <Ellipsis size={18} /> }}
        entries={[
          {
            id: "delete",
            label: t`Delete …`,
            icon: <Trash2 size={16} />,
            isDanger: true,
            onSelect: () => setDeleting(true),
          },
        ]}
      />
      {isDeleting && (
        <WriteDialog
          title={<Trans>Delete this household?</Trans>}
          onClose={() => setDeleting(false)}
          action={<Trans>Delete for good</Trans>}
          write={remove}
          onAct={() => remove.mutate({ values: undefined, intent: newIntent() })}
          kind="danger"
        >
          <p>
            <Trans>
              Its members stay. The address, the phone and the notes about it go for good.
            </Trans>
          </p>
        </WriteDialog>
      )}
    </>
  );
}

function Members({ household }: { household: WithRights }) {
  const { t, i18n } = useLingui();
  const mayChange = useHolds("households:write");
  const [isAdding, setAdding] = useState(false);
  const [edited, setEdited] = useState<HouseholdMember>();
  const remove = useWrite((member: HouseholdMember) => removeMember(member.id, member.$etag), {
    touches: ["households", "people"],
  });
  const rank = Object.keys(householdRoles);
  const members = household.memberships.toSorted(
    (one, other) => rank.indexOf(one["household-role"]) - rank.indexOf(other["household-role"]),
  );
  return (
    <Card
      title={<Trans context="household">Members</Trans>}
      count={<Count value={members.length} />}
      action={
        mayChange && (
          <Button kind="quiet" icon={<Plus size={15} />} onClick={() => setAdding(true)}>
            <Trans>Add</Trans>
          </Button>
        )
      }
    >
      <Lines>
        {members.map((member) => {
          const pickUp = member["may-pick-up"];
          const name = member.person["full-name"];
          return (
            <Line
              key={member.id}
              face={<Avatar name={name} photo={member.person["photo-url"]} />}
              title={
                <Link to="/people/$id" params={{ id: member.person.id }}>
                  {name}
                </Link>
              }
              detail={[
                i18n._(householdRoles[member["household-role"]]),
                pickUp && i18n._(pickUpRights[pickUp]),
              ]
                .filter(Boolean)
                .join(" · ")}
            >
              {mayChange && (
                <MenuButton
                  trigger={{
                    iconOnly: true,
                    label: t`More about ${name}`,
                    icon: <Ellipsis size={18} />,
                  }}
                  entries={[
                    {
                      id: "edit",
                      label: t`Change the place`,
                      icon: <Pencil size={16} />,
                      onSelect: () => setEdited(member),
                    },
                    {
                      id: "remove",
                      label: t`Take out of the household`,
                      icon: <UserMinus size={16} />,
                      onSelect: () => remove.mutate({ values: member, intent: newIntent() }),
                    },
                  ]}
                />
              )}
            </Line>
          );
        })}
      </Lines>
      <FailureBanner error={remove.error} />
      {(isAdding || edited) && (
        <MemberDialog
          household={household}
          member={edited}
          onClose={() => {
            setAdding(false);
            setEdited(undefined);
          }}
        />
      )}
    </Card>
  );
}

const placeOf = (member: MemberPlace): Values => ({
  "household-role": member["household-role"],
  "may-pick-up": member["may-pick-up"],
});

/** Adds a member, or changes the place of one. */
function MemberDialog({
  household,
  member,
  onClose,
}: {
  household: HouseholdRecord;
  member: HouseholdMember | undefined;
  onClose: () => void;
}) {
  const { t, i18n } = useLingui();
  const form = useForm<MemberPlace>({
    base: member ? placeOf(member) : { "person": null, "household-role": "child" },
    record: member,
    send: (changes, { etag, idempotencyKey }) =>
      member
        ? changeMember(member.id, changes, { etag, idempotencyKey })
        : addMember({ ...(changes as NewMember), household: household.id }, idempotencyKey),
    read: member && (() => memberAgain(member.id)),
    valuesOf: placeOf,
    touches: ["households", "people"],
    onSaved: onClose,
    onCancel: onClose,
  });
  const words: Readonly<Record<string, MessageDescriptor>> = { ...householdRoles, ...pickUpRights };
  const options = (values: typeof householdRoles | typeof pickUpRights) =>
    Object.entries(values).map(([value, words]) => [value, i18n._(words)] as const);
  return (
    <Dialog
      title={member ? <bdi>{member.person["full-name"]}</bdi> : <Trans>Add a member</Trans>}
      onClose={onClose}
    >
      <EditForm
        form={form as Form}
        isPlain
        isFilled
        showValue={(_, value) => {
          const known = words[String(value)];
          return known && i18n._(known);
        }}
      >
        {!member && (
          <PersonCombo
            {...form.control<string | null>("person")}
            label={t`Person`}
            exclude={household.memberships.map(({ person }) => person.id)}
            autoFocus
          />
        )}
        <SelectField
          {...form.text("household-role")}
          label={t`Place in the household`}
          options={options(householdRoles)}
        />
        <SelectField
          {...form.text("may-pick-up")}
          label={t`Children`}
          options={[["", "–"], ...options(pickUpRights)]}
        />
      </EditForm>
    </Dialog>
  );
}

const valuesOf = (household: HouseholdRecord): Values => ({
  "name": household.name,
  "phone": household["phone-display"] ?? household.phone,
  "address": household.address,
  "primary-contact": household["primary-contact"]?.id ?? null,
  "custom-properties": household["custom-properties"],
});

function About({ household }: { household: WithRights }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const own = useCustomFields("households", household["custom-properties"]);
  const draft = useDraft({ type: "households", id: household.id, card: "about" });
  const isEditable = mayWrite(household, "name");
  const contact = household["primary-contact"];
  if (isOpen) return <AboutForm household={household} onDone={() => setOpen(false)} />;
  return (
    <Card
      title={<Trans>About</Trans>}
      action={
        isEditable && (
          <Button kind="quiet" icon={<Pencil size={15} />} onClick={() => setOpen(true)}>
            <Trans>Edit</Trans>
          </Button>
        )
      }
    >
      {draft.isKept && isEditable && (
        <DraftOffer onContinue={() => setOpen(true)} onDrop={draft.drop} />
      )}
      <Facts
        facts={[
          [
            t`Phone`,
            household.phone && (
              <a href={`tel:${household.phone}`}>
                <Ltr>{household["phone-display"] ?? household.phone}</Ltr>
              </a>
            ),
          ],
          [t`Address`, household.address && <AddressText address={household.address} />],
          [
            t`Whom to ask`,
            contact && (
              <Link to="/people/$id" params={{ id: contact.id }}>
                <bdi>{contact["full-name"]}</bdi>
              </Link>
            ),
          ],
          ...own.map((field) => [field.label, field.shown] as const),
        ]}
      />
    </Card>
  );
}

function AboutForm({ household, onDone }: { household: WithRights; onDone: () => void }) {
  const { t } = useLingui();
  const { account } = useSession();
  const own = useCustomFields("households", household["custom-properties"]);
  const form = useForm<HouseholdRecord>({
    base: valuesOf(household),
    record: household,
    draft: { type: "households", id: household.id, card: "about" },
    send: (changes, options) => changeHousehold(household.id, changes, options),
    read: () => householdAgain(household.id),
    valuesOf,
    touches: ["households"],
    onSaved: onDone,
    onCancel: onDone,
  });
  return (
    <EditForm form={form as Form} title={<Trans>About</Trans>}>
      <TextField
        {...form.text("name")}
        label={t`Name`}
        autoComplete="off"
        maxLength={200}
        autoFocus
      />
      <TextField {...form.text("phone")} label={t`Phone`} type="tel" dir="ltr" autoComplete="off" />
      <AddressField
        {...form.control<AddressValue | null>("address")}
        label={t`Address`}
        errorOf={inputErrors(form as Form, "address")}
        defaultCountry={account.settings.country}
      />
      <PersonCombo {...form.control<string | null>("primary-contact")} label={t`Whom to ask`} />
      {own
        .filter(({ names }) => names.some((name) => mayWrite(household, name)))
        .map((field) => (
          <Fragment key={field.names.join()}>{field.input(form as Form)}</Fragment>
        ))}
    </EditForm>
  );
}
