import { useLingui } from "@lingui/react/macro";
import { Plus } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { EditForm } from "../app/form.tsx";
import type { Form } from "../app/use-form.tsx";
import type { Question, QuestionType } from "../data/form-answers.ts";
import { Group } from "../ui/field.tsx";
import { useIsPhone } from "../ui/media.ts";
import { MenuButton } from "../ui/popover.tsx";
import { Segments } from "../ui/segments.tsx";
import { Sortable } from "../ui/sortable.tsx";
import { toast } from "../ui/toasts.tsx";
import styles from "./forms.module.css";
import { Preview } from "./preview.tsx";
import { isWrong, QuestionFields, QuestionLine } from "./question-fields.tsx";
import { moved, newName } from "./questions.ts";
import { questionTypes, usePersonAttributes } from "./words.ts";

const MOST = 60;

/** Questions that most forms have: their kind, and what they fill in. */
const USUAL: readonly (readonly [QuestionType, target: string])[] = [
  ["text", "full-name"],
  ["email", "email"],
  ["phone", "phone"],
  ["date", "birthdate"],
  ["address", "address"],
];

const PLAIN: readonly QuestionType[] = [
  "text",
  "long-text",
  "select",
  "multi-select",
  "boolean",
  "number",
  "date",
  "consent",
  "heading",
];

/** The questions of a form in their order, with the form as visitors see it. */
export function QuestionsForm({
  form,
  name,
  description,
  notice,
  children,
  hasCancel = false,
}: {
  form: Form;
  name: string;
  description?: string | null | undefined;
  notice?: string | null | undefined;
  children?: ReactNode;
  hasCancel?: boolean;
}) {
  const { t, i18n } = useLingui();
  const { wordOf } = usePersonAttributes();
  const isPhone = useIsPhone();
  const [view, setView] = useState<"edit" | "preview">("edit");
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const added = useRef<string>(undefined);
  const list = useRef<HTMLDivElement>(null);
  const questions = form.values["fields"] as readonly Question[];
  const set = (next: readonly Question[]) => form.change({ ...form.values, fields: next });
  const latest = useRef(set);
  const now = useRef(questions);
  useEffect(() => {
    latest.current = set;
    now.current = questions;
  });

  useEffect(() => {
    const at = questions.findIndex(({ key }) => key === added.current);
    if (at < 0) return;
    added.current = undefined;
    list.current?.querySelector<HTMLElement>(`[name="fields.${at}.label"]`)?.focus();
  }, [questions]);

  function add(type: QuestionType, target?: string): void {
    const key = newName(questions.map((one) => one.key));
    added.current = key;
    setOpened(new Set([key]));
    set([
      ...questions,
      {
        key,
        type,
        "label": target ? wordOf(target) : "",
        "required": target === "full-name",
        ...(target && { "maps-to": target }),
        ...((type === "select" || type === "multi-select") && {
          options: [
            { value: "new:1", label: "" },
            { value: "new:2", label: "" },
          ],
        }),
      },
    ]);
  }

  function remove(index: number): void {
    const question = questions[index];
    if (!question) return;
    set(questions.filter((_, at) => at !== index));
    toast(t`Question removed`, () => latest.current(now.current.toSpliced(index, 0, question)));
  }

  const isOpen = (key: string, index: number) => opened.has(key) || isWrong(form, index);
  const targets = new Set(questions.map((one) => one["maps-to"]));
  const preview = (
    <Preview name={name} description={description} questions={questions} notice={notice} />
  );
  return (
    <>
      {isPhone && (
        <Segments
          label={t`View`}
          value={view}
          options={[
            ["edit", t`Edit`],
            ["preview", t`Preview`],
          ]}
          onChange={setView}
        />
      )}
      <div className={styles.editor}>
        <div ref={list} hidden={isPhone && view === "preview"}>
          <EditForm form={form} hasCancel={hasCancel}>
            {children}
            <Group name="fields" label={t`Questions`} error={form.control("fields").error}>
              <Sortable
                label={t`Questions`}
                rows={questions}
                keyOf={({ key }) => key}
                nameOf={({ label }, at) => label || t`Question ${at + 1}`}
                onMove={(from, to) => set(moved(questions, from, to))}
                below={({ key }, index) => (
                  <QuestionFields
                    form={form}
                    questions={questions}
                    index={index}
                    isOpen={isOpen(key, index)}
                    onChange={(question) => set(questions.with(index, question))}
                    onRemove={() => remove(index)}
                  />
                )}
              >
                {({ key }, index) => (
                  <QuestionLine
                    questions={questions}
                    index={index}
                    isOpen={isOpen(key, index)}
                    onOpen={(opens) =>
                      setOpened(
                        new Set(
                          opens ? [...opened, key] : [...opened].filter((one) => one !== key),
                        ),
                      )
                    }
                  />
                )}
              </Sortable>
              {questions.length < MOST && (
                <div>
                  <MenuButton
                    trigger={{ label: t`Add a question`, icon: <Plus size={16} /> }}
                    entries={[
                      ...USUAL.filter(([, target]) => !targets.has(target)).map(
                        ([type, target]) => ({
                          id: target,
                          label: wordOf(target),
                          onSelect: () => add(type, target),
                        }),
                      ),
                      ...PLAIN.map((type) => ({
                        id: `plain-${type}`,
                        label: i18n._(questionTypes[type]),
                        onSelect: () => add(type),
                      })),
                    ]}
                  />
                </div>
              )}
            </Group>
          </EditForm>
        </div>
        {(!isPhone || view === "preview") && <div className={styles.side}>{preview}</div>}
      </div>
    </>
  );
}
