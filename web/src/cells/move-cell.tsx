import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";
import { WriteDialog } from "../app/write-dialog.tsx";
import { type CellRecord, saveCell } from "../data/cells.ts";
import { newIntent, useWrite } from "../data/write.ts";
import type { Option } from "../ui/combo-field.tsx";
import { toast } from "../ui/toasts.tsx";
import { CellCombo } from "../records/cell-combo.tsx";

type Move = { parent: string | null; etag: string | undefined };

/** Puts a group below another supervision, or above all. */
export function MoveCell({ cell, onClose }: { cell: CellRecord; onClose: () => void }) {
  const { t } = useLingui();
  const old = cell.parent ?? null;
  const [target, setTarget] = useState<Option | null>(old && { id: old.id, label: old.name ?? "" });
  const write = useWrite(
    ({ parent, etag }: Move, { idempotencyKey }) =>
      saveCell(cell.id, { parent }, { etag, idempotencyKey }),
    {
      touches: ["cells"],
      onDone: (moved, { parent }) => {
        if (parent === (old?.id ?? null)) return;
        onClose();
        toast(t`${cell.name} is moved`, () =>
          write.mutate({
            values: { parent: old?.id ?? null, etag: moved.$etag },
            intent: newIntent(),
          }),
        );
      },
    },
  );
  return (
    <WriteDialog
      title={<Trans>Move {cell.name}</Trans>}
      onClose={onClose}
      action={<Trans>Move</Trans>}
      write={write}
      onAct={() =>
        write.mutate({
          values: { parent: target?.id ?? null, etag: cell.$etag },
          intent: newIntent(),
        })
      }
    >
      <CellCombo
        name="parent"
        label={<Trans>Below</Trans>}
        value={target}
        onChange={setTarget}
        exclude={cell.id}
        type="supervision"
      />
    </WriteDialog>
  );
}
