import { AddressField, type AddressValue } from "../address-field.tsx";
import { ComboField, type Option } from "../combo-field.tsx";
import { Counter } from "../counter.tsx";
import { BirthdayField, DateField } from "../date-field.tsx";
import { CheckField, Field, Group, SelectField, TextArea, TextField } from "../field.tsx";
import { useNameSearch } from "../name-search.tsx";
import { PasswordField } from "../password-field.tsx";
import { PhonesField, type PhoneValue } from "../phones-field.tsx";
import { Segments } from "../segments.tsx";
import fieldStyles from "../field.module.css";
import styles from "./gallery.module.css";
import {
  ADDRESS,
  ERROR,
  findPeople,
  Grid,
  Held,
  LONG_NAME,
  LONG_TEXT,
  nothing,
  PEOPLE,
  Specimen,
} from "./specimen.tsx";

const OPTIONS = [
  ["", "–"],
  ["weekly", "every week"],
  ["long", LONG_TEXT],
] as const;

export const Fields = () => (
  <>
    <Grid>
      <TextField label="Name" name="name" help="As people call this person." />
      <TextField label="Long value" name="long" defaultValue={LONG_TEXT} />
      <TextField label="Invalid" name="invalid" defaultValue="912" help="Help." error={ERROR} />
      <TextArea label="Note" name="note" help={LONG_TEXT} />
      <TextArea label="Invalid note" name="invalid-note" defaultValue={LONG_TEXT} error={ERROR} />
      <SelectField label="Frequency" name="frequency" options={[...OPTIONS]} />
      <SelectField label={LONG_TEXT} name="long-frequency" options={[...OPTIONS]} error={ERROR} />
      <Field label="Own input" help="Another input in the frame of a field.">
        {(described) => <input type="time" className={fieldStyles.input} {...described} />}
      </Field>
      <Group label="Days" name="days" help="On which the group meets." error={ERROR}>
        <CheckField label="Monday" name="monday" />
        <CheckField label={LONG_TEXT} name="tuesday" defaultChecked />
        <CheckField label="Sunday" name="sunday" disabled />
        <CheckField label="Morning" name="time" type="radio" defaultChecked />
        <CheckField label="Evening" name="time" type="radio" />
      </Group>
      <form className={styles.form} onSubmit={(event) => event.preventDefault()}>
        <input hidden name="username" autoComplete="username" />
        <PasswordField label="Password" name="password" autoComplete="current-password" />
        <PasswordField
          label="New password"
          name="new-password"
          autoComplete="new-password"
          error="A password has at least 12 characters."
        />
      </form>
      <DateField label="Date" name="date" value={null} onChange={nothing} />
      <Held<string | null> start="2026-03-01">
        {(value, onChange) => (
          <DateField
            label="Filled date"
            name="filled-date"
            value={value}
            onChange={onChange}
            help={value ?? "empty"}
            error={value === "2026-02-31" && "There is no such day."}
          />
        )}
      </Held>
      <BirthdayField
        label="Birthday without a year"
        name="birthday"
        value={null}
        monthDay="02-29"
        onChange={nothing}
      />
      <Held<readonly PhoneValue[]> start={[{ number: "+351 912 345 678" }, { number: "912" }]}>
        {(value, onChange) => (
          <PhonesField
            label="Telephones"
            name="phones"
            value={value}
            onChange={onChange}
            errorOf={(path) => path === "1.number" && ERROR}
          />
        )}
      </Held>
      <PhonesField
        label="No telephone"
        name="no-phones"
        value={[]}
        onChange={nothing}
        errorOf={nothing}
      />
      <Held<AddressValue | null> start={ADDRESS}>
        {(value, onChange) => (
          <AddressField
            label="Address"
            name="address"
            value={value}
            onChange={onChange}
            errorOf={(part) => part === "postal-code" && "Seven digits, such as 1100-341."}
          />
        )}
      </Held>
      <AddressField
        label="No address"
        name="no-address"
        value={null}
        onChange={nothing}
        defaultCountry="BR"
        error="An address has a street."
        errorOf={nothing}
      />
      <Held<Option | null> start={null}>
        {(value, onChange) => (
          <ComboField
            label="Person"
            name="person"
            value={value}
            onChange={onChange}
            search={findPeople}
            help="Two letters begin the search."
          />
        )}
      </Held>
      <Held<Option | null> start={{ id: "1", label: LONG_NAME }}>
        {(value, onChange) => (
          <ComboField
            label="Chosen person"
            name="chosen-person"
            value={value}
            onChange={onChange}
            search={findPeople}
            minLength={0}
            error={ERROR}
          />
        )}
      </Held>
      <Held start={2}>
        {(value, onChange) => (
          <Counter
            label="Visitors"
            value={value}
            onChange={onChange}
            lessLabel="One visitor less"
            moreLabel="One visitor more"
          />
        )}
      </Held>
      <Counter
        label={LONG_TEXT}
        value={12_345}
        onChange={nothing}
        lessLabel="One less"
        moreLabel="One more"
      />
      <div>
        <Held<"list" | "tree"> start="list">
          {(value, onChange) => (
            <Segments
              label="View"
              value={value}
              onChange={onChange}
              options={[
                ["list", "List"],
                ["tree", "Tree of all groups"],
              ]}
            />
          )}
        </Held>
      </div>
      <Names />
    </Grid>
  </>
);

function Names() {
  const { found, search } = useNameSearch(PEOPLE, ({ name }) => [name]);
  return (
    <Specimen state={`The names are searched in the page: ${found.length} found`}>
      {search}
    </Specimen>
  );
}
