import { Trans, useLingui } from "@lingui/react/macro";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { DraftOffer, EditForm, useDraft } from "../app/form.tsx";
import { useForm } from "../app/use-form.tsx";
import { type CellRecord, readCell, saveCell } from "../data/cells.ts";
import { Button } from "../ui/button.tsx";
import { Card, Facts } from "../ui/card.tsx";
import { CheckField, SelectField, TextArea, TextField } from "../ui/field.tsx";
import { formatDate, formatTime, formatWeekday, weekdays } from "../ui/format.ts";
import { Ltr } from "../ui/text.tsx";
import styles from "./cell.module.css";
import { rightsOf } from "./rights.ts";
import { frequencies } from "./words.ts";

/** What the group is and when it meets, and what the public sees of it. */
export function About({ cell }: { cell: CellRecord }) {
  const { mayWrite } = rightsOf(cell);
  const [isEditing, setEditing] = useState(false);
  const mayEdit = mayWrite("weekday") || mayWrite("description");
  return (
    <div className={styles.pair}>
      {isEditing ? (
        <EditSchedule cell={cell} onClose={() => setEditing(false)} />
      ) : (
        <Schedule cell={cell} onEdit={mayEdit ? () => setEditing(true) : undefined} />
      )}
      {mayEdit && cell["public-settings"] !== undefined && <PublicSettings cell={cell} />}
    </div>
  );
}

function Schedule({ cell, onEdit }: { cell: CellRecord; onEdit: (() => void) | undefined }) {
  const { t, i18n } = useLingui();
  const draft = useDraft({ type: "cells", id: cell.id, card: "schedule" });
  const { weekday, frequency, address } = cell;
  const startsAt = cell["starts-at"];
  const endsAt = cell["ends-at"];
  const from = cell["recess-from"];
  const to = cell["recess-to"];
  const place = [
    [address?.street, address?.number].filter(Boolean).join(" "),
    address?.["postal-code"],
    address?.city,
  ]
    .filter(Boolean)
    .join(", ");
  return (
    <Card
      title={<Trans>Schedule and place</Trans>}
      action={
        onEdit && (
          <Button kind="quiet" icon={<Pencil size={14} />} onClick={onEdit}>
            <Trans>Edit</Trans>
          </Button>
        )
      }
    >
      {draft.isKept && onEdit && <DraftOffer onContinue={onEdit} onDrop={draft.drop} />}
      <Facts
        facts={[
          [
            t`Meets`,
            weekday !== null && (
              <>
                {formatWeekday(weekday)}
                {startsAt !== null && <>, {formatTime(startsAt)}</>}
                {endsAt !== null && <> – {formatTime(endsAt)}</>}
              </>
            ),
          ],
          [t`How often`, i18n._(frequencies[frequency])],
          [t`Place`, place],
          [t`Online`, cell["online-url"] && <Ltr>{cell["online-url"]}</Ltr>],
          [
            t`Recess`,
            from &&
              (to ? (
                <Trans>
                  {formatDate(from)} to {formatDate(to)}
                </Trans>
              ) : (
                <Trans>since {formatDate(from)}</Trans>
              )),
          ],
          [t`About`, cell.description],
          [t`Closed`, cell["closing-reason"]],
        ]}
      />
    </Card>
  );
}

const minutesOf = (time: unknown): number | null => {
  const [hours, minutes] = typeof time === "string" && time !== "" ? time.split(":") : [];
  return hours === undefined || minutes === undefined ? null : Number(hours) * 60 + Number(minutes);
};

const timeOf = (minutes: number | null | undefined): string =>
  minutes === null || minutes === undefined
    ? ""
    : `${String(Math.trunc(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/** The values of the form. Times are typed as 19:30 and stored in minutes. */
const valuesOf = (cell: CellRecord) => ({
  "name": cell.name,
  "weekday": cell.weekday === null ? "" : String(cell.weekday),
  "starts-at": timeOf(cell["starts-at"]),
  "ends-at": timeOf(cell["ends-at"]),
  "frequency": cell.frequency,
  "is-online": cell["is-online"],
  "online-url": cell["online-url"] ?? null,
  "recess-from": cell["recess-from"] ?? null,
  "recess-to": cell["recess-to"] ?? null,
  "description": cell.description,
});

function EditSchedule({ cell, onClose }: { cell: CellRecord; onClose: () => void }) {
  const { t, i18n } = useLingui();
  const { mayWrite } = rightsOf(cell);
  const form = useForm({
    base: valuesOf(cell),
    record: cell,
    draft: { type: "cells", id: cell.id, card: "schedule" },
    send: (changes, { etag, idempotencyKey }) =>
      saveCell(
        cell.id,
        {
          ...changes,
          ...("weekday" in changes && {
            weekday: changes["weekday"] ? Number(changes["weekday"]) : null,
          }),
          ...("starts-at" in changes && { "starts-at": minutesOf(changes["starts-at"]) }),
          ...("ends-at" in changes && { "ends-at": minutesOf(changes["ends-at"]) }),
        },
        { etag, idempotencyKey },
      ),
    read: () => readCell(cell.id),
    valuesOf,
    touches: ["cells", "cell-meetings"],
    onSaved: onClose,
    onCancel: onClose,
  });
  const days = weekdays().map(({ day, name }) => [String(day), name] as const);
  return (
    <EditForm form={form} title={<Trans>Schedule and place</Trans>}>
      {mayWrite("name") && <TextField label={<Trans>Name</Trans>} {...form.text("name")} />}
      {mayWrite("weekday") && (
        <div className={styles.times}>
          <SelectField
            label={<Trans>Weekday</Trans>}
            options={[["", t`None`], ...days]}
            {...form.text("weekday")}
          />
          <TextField label={<Trans>From</Trans>} type="time" {...form.text("starts-at")} />
          <TextField label={<Trans>To</Trans>} type="time" {...form.text("ends-at")} />
        </div>
      )}
      {mayWrite("frequency") && (
        <SelectField
          label={<Trans>How often</Trans>}
          options={Object.entries(frequencies).map(([value, words]) => [value, i18n._(words)])}
          {...form.text("frequency")}
        />
      )}
      {mayWrite("recess-from") && (
        <div className={styles.times}>
          <TextField label={<Trans>Recess from</Trans>} type="date" {...form.text("recess-from")} />
          <TextField label={<Trans>Recess to</Trans>} type="date" {...form.text("recess-to")} />
        </div>
      )}
      {mayWrite("is-online") && (
        <CheckField label={<Trans>Meets online</Trans>} {...form.check("is-online")} />
      )}
      {mayWrite("online-url") && (
        <TextField
          label={<Trans>Link of the meeting</Trans>}
          type="url"
          dir="ltr"
          {...form.text("online-url")}
        />
      )}
      {mayWrite("description") && (
        <TextArea label={<Trans>About</Trans>} {...form.text("description")} />
      )}
    </EditForm>
  );
}

/** What the public area shows of this group, in sentences. */
function PublicSettings({ cell }: { cell: CellRecord }) {
  const isPublic = cell["is-public"] === true;
  const settings = cell["public-settings"] ?? {};
  return (
    <Card title={<Trans>What the public sees</Trans>}>
      {isPublic ? (
        <ul>
          <li>
            <Trans>The name, the day, the time and the city of this group are public.</Trans>
          </li>
          <li>
            {settings["show-address"] ? (
              <Trans>Visitors see the street.</Trans>
            ) : (
              <Trans>Visitors do not see the street.</Trans>
            )}
          </li>
          <li>
            {settings["show-leader-phone"] || settings["show-leader-email"] ? (
              <Trans>Visitors see how to reach the leader.</Trans>
            ) : (
              <Trans>Visitors do not see how to reach the leader.</Trans>
            )}
          </li>
          <li>
            {settings["accept-join-requests"] === false ? (
              <Trans>Visitors cannot ask to join.</Trans>
            ) : (
              <Trans>Visitors can ask to join.</Trans>
            )}
          </li>
        </ul>
      ) : (
        <p>
          <Trans>This group is not public. Only people with a log-in see it.</Trans>
        </p>
      )}
    </Card>
  );
}
