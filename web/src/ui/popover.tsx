import { type ComponentProps, lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { Button, type ButtonProps, IconButton } from "./button.tsx";

const PopoverPanel = lazy(() =>
  import("./overlays.tsx").then((late) => ({ default: late.PopoverPanel })),
);
const MenuPanel = lazy(() =>
  import("./overlays.tsx").then((late) => ({ default: late.MenuPanel })),
);

type Trigger =
  | ({ iconOnly: true } & ComponentProps<typeof IconButton>)
  | ({ iconOnly?: false; label: string } & ButtonProps);

/** The button is there from the start. The press is state, so the panel opens as soon as its chunk has arrived. */
function useOpening(trigger: Trigger) {
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<HTMLButtonElement>(null);
  const common = {
    ref,
    "aria-haspopup": true,
    "aria-expanded": isOpen,
    onClick: () => setOpen(!isOpen),
  } as const;
  let button: ReactNode;
  if (trigger.iconOnly) {
    const { iconOnly: _, ...rest } = trigger;
    button = <IconButton {...rest} {...common} />;
  } else {
    const { iconOnly: _, label, children, ...rest } = trigger;
    button = (
      <Button {...rest} {...common}>
        {children ?? <span>{label}</span>}
      </Button>
    );
  }
  return { isOpen, setOpen, ref, button };
}

export function PopoverButton({
  trigger,
  children,
}: {
  trigger: Trigger;
  children: (close: () => void) => ReactNode;
}) {
  const { isOpen, setOpen, ref, button } = useOpening(trigger);
  return (
    <>
      {button}
      {isOpen && (
        <Suspense>
          <PopoverPanel triggerRef={ref} isOpen onOpenChange={setOpen} label={trigger.label}>
            {children(() => setOpen(false))}
          </PopoverPanel>
        </Suspense>
      )}
    </>
  );
}

export type MenuEntry = {
  id: string;
  label: string;
  icon?: ReactNode;
  /** Why the entry is impossible now. */
  reason?: string | undefined;
  isDanger?: boolean;
  /** A link to another site, a telephone or a mail program. */
  href?: string;
  onSelect?: () => void;
};

export function MenuButton({ trigger, entries }: { trigger: Trigger; entries: MenuEntry[] }) {
  const { isOpen, setOpen, ref, button } = useOpening(trigger);
  return (
    <>
      {button}
      {isOpen && (
        <Suspense>
          <MenuPanel
            triggerRef={ref}
            isOpen
            onOpenChange={setOpen}
            label={trigger.label}
            entries={entries}
          />
        </Suspense>
      )}
    </>
  );
}
