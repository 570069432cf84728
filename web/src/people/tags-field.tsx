import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { tagsOptions } from "../data/person.ts";
import { Chip } from "../ui/chip.tsx";
import { CheckField, Group } from "../ui/field.tsx";
import { Skeleton } from "../ui/states.tsx";
import styles from "./person.module.css";

type Tag = { id: string; name: string };

export const TagsText = ({ tags }: { tags: readonly Tag[] }) => (
  <span className={styles.chips}>
    {tags.map(({ id, name }) => (
      <Chip key={id}>
        <bdi>{name}</bdi>
      </Chip>
    ))}
  </span>
);

/** The tags for people as boxes. A tag that no longer applies to people can only be removed. */
export function TagsField({
  name,
  label,
  value,
  onChange,
  error,
  kept,
}: {
  name: string;
  label: ReactNode;
  value: readonly string[];
  onChange: (value: string[]) => void;
  error?: ReactNode;
  kept: readonly Tag[];
}) {
  const { data: tags, isError } = useQuery(tagsOptions);
  const known = tags ?? [];
  const others = kept.filter(({ id }) => known.every((tag) => tag.id !== id));
  return (
    <Group name={name} label={label} error={error}>
      {tags === undefined && !isError && <Skeleton height={36} />}
      <div className={styles.boxes}>
        {[...known, ...others].map(({ id, name: word }) => (
          <CheckField
            key={id}
            label={<bdi>{word}</bdi>}
            value={id}
            checked={value.includes(id)}
            onChange={({ currentTarget }) =>
              onChange(
                currentTarget.checked ? [...value, id] : value.filter((other) => other !== id),
              )
            }
          />
        ))}
      </div>
      {tags?.length === 0 && others.length === 0 && (
        <p className={styles.quiet}>
          <Trans>The church has no tags for people yet.</Trans>
        </p>
      )}
    </Group>
  );
}
