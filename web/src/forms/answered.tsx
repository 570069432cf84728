import { Trans, useLingui } from "@lingui/react/macro";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { FormSubmissionStatus } from "@vestry/sdk";
import { Failure } from "../app/failure.tsx";
import { nameInAnswers } from "../data/form-answers.ts";
import { type FormRecord, questionsOf, submissionsOptions } from "../data/forms.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { Chip } from "../ui/chip.tsx";
import { SelectField } from "../ui/field.tsx";
import { EmptyState, Skeleton } from "../ui/states.tsx";
import { Time } from "../ui/text.tsx";
import styles from "./forms.module.css";
import { submissionStatuses } from "./words.ts";

const route = getRouteApi("/frame/forms/$id");

const isStatus = (text: string | undefined): text is FormSubmissionStatus =>
  text !== undefined && text in submissionStatuses;

/** What people sent with a form, newest first. The address says in which state. */
export function Answered({ form }: { form: FormRecord }) {
  const { t, i18n } = useLingui();
  const { status: wanted } = route.useSearch();
  const navigate = route.useNavigate();
  const status = isStatus(wanted) ? wanted : undefined;
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    submissionsOptions(form.id, status),
  );
  const sent = data?.pages.flatMap(({ items }) => items) ?? [];
  const questions = questionsOf(form);
  return (
    <>
      <div className={styles.filters}>
        <SelectField
          label={<Trans>State</Trans>}
          name="status"
          value={status ?? ""}
          onChange={({ currentTarget: { value } }) =>
            void navigate({
              search: (old) => ({ ...old, status: value || undefined }),
              replace: true,
            })
          }
          options={[
            ["", t`All but spam`],
            ...Object.entries(submissionStatuses).map(
              ([value, words]) => [value, i18n._(words)] as const,
            ),
          ]}
        />
      </div>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={200} />}
      {data && sent.length === 0 && (
        <EmptyState
          title={status ? <Trans>Nothing matches</Trans> : <Trans>Nothing was sent yet</Trans>}
        >
          {status === undefined && <Trans>Share the address of the form, or print its code.</Trans>}
        </EmptyState>
      )}
      {sent.length > 0 && (
        <div className={styles.narrow}>
          <Lines>
            {sent.map((one) => {
              const name = nameInAnswers(questions, one.answers) || t`Without a name`;
              return (
                <Line
                  key={one.id}
                  face={<Avatar name={name} />}
                  title={
                    <Link
                      to="/forms/$id/submissions/$submission"
                      params={{ id: form.id, submission: one.id }}
                    >
                      {name}
                    </Link>
                  }
                  detail={<Time moment={one["submitted-at"]} />}
                >
                  {one.status === "new" ? (
                    <Chip tone="info">{i18n._(submissionStatuses.new)}</Chip>
                  ) : (
                    <span className={styles.quiet}>{i18n._(submissionStatuses[one.status])}</span>
                  )}
                </Line>
              );
            })}
          </Lines>
          {hasNextPage && (
            <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              <Trans>Show more</Trans>
            </Button>
          )}
        </div>
      )}
    </>
  );
}
