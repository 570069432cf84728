import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import type { FormStatus, FormSubmissionStatus } from "@vestry/sdk";
import { useSession } from "../app/session.tsx";
import type { QuestionType } from "../data/form-answers.ts";
import { customFields } from "../records/custom-fields.ts";
import type { Tone } from "../ui/chip.tsx";

type Words<Value extends string> = Readonly<Record<Value, MessageDescriptor>>;

export const formStatuses: Words<FormStatus> = {
  "draft": msg({ message: "Draft", context: "form" }),
  "open": msg({ message: "Open", context: "form" }),
  "closed": msg({ message: "Closed", context: "form" }),
  "archived": msg({ message: "Archived", context: "form" }),
};

/** An open form is the normal state, and has no chip. */
export const formTones: Partial<Record<FormStatus, Tone>> = {
  "draft": "info",
  "closed": "plain",
  "archived": "plain",
};

export const submissionStatuses: Words<FormSubmissionStatus> = {
  "new": msg({ message: "New", context: "submission" }),
  "processed": msg({ message: "Accepted", context: "submission" }),
  "rejected": msg({ message: "Declined", context: "submission" }),
  "spam": msg({ message: "Spam", context: "submission" }),
  "archived": msg({ message: "Archived", context: "submission" }),
};

export const questionTypes: Words<QuestionType> = {
  "text": msg`Short text`,
  "long-text": msg`Long text`,
  "email": msg`E-mail`,
  "phone": msg`Phone`,
  "number": msg`Number`,
  "date": msg({ message: "Date", context: "kind of question" }),
  "boolean": msg`Yes or no`,
  "select": msg`One choice`,
  "multi-select": msg`Several choices`,
  "address": msg`Address`,
  "consent": msg`Consent`,
  "heading": msg`Heading`,
  "hidden": msg`Hidden value`,
};

const attributes: Record<string, MessageDescriptor> = {
  "full-name": msg`Full name`,
  "first-name": msg`First name`,
  "last-name": msg`Last name`,
  "preferred-name": msg`Preferred name`,
  "sex": msg({ message: "Sex", context: "of a person" }),
  "birthdate": msg`Birthday`,
  "email": msg`E-mail`,
  "phone": msg`Phone`,
  "address": msg`Address`,
  "marital-status": msg`Marital status`,
  "occupation": msg`Occupation`,
  "previous-church": msg`Previous church`,
};

/** How answers reached the church. */
export function useSources() {
  const { t } = useLingui();
  return {
    public: t`by a visitor`,
    staff: t`from paper, by staff`,
    member: t`by a person with a log-in`,
    import: t`by an import`,
  };
}

/** The custom fields of people, and the words for an attribute of a person or such a field. */
export function usePersonAttributes() {
  const { i18n } = useLingui();
  const { account } = useSession();
  const custom = customFields(account["custom-properties"]?.["people"]);
  return {
    custom,
    wordOf: (attribute: string): string => {
      const known = attributes[attribute];
      if (known) return i18n._(known);
      const name = attribute.replace(/^custom-properties\./, "");
      return custom.find(([one]) => one === name)?.[1].label ?? name;
    },
  };
}
