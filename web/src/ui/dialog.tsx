import { lazy, type ReactNode, Suspense } from "react";
import styles from "./overlays.module.css";

const DialogPanel = lazy(() =>
  import("./overlays.tsx").then((late) => ({ default: late.DialogPanel })),
);

/** A modal dialog. It is closed by its owner, and the focus returns to the element that had it. */
export function Dialog({
  isOpen = true,
  onClose,
  title,
  isFullOnPhones = false,
  isDismissable = true,
  isAlert = false,
  isDrawer = false,
  children,
}: {
  isOpen?: boolean;
  onClose: () => void;
  title: ReactNode;
  isFullOnPhones?: boolean;
  isDismissable?: boolean;
  isAlert?: boolean;
  /** At the end of the page, as high as the window, with a button that closes it. On phones it fills the screen. */
  isDrawer?: boolean;
  children: ReactNode;
}) {
  if (!isOpen) return null;
  return (
    <Suspense>
      <DialogPanel
        isOpen
        onOpenChange={(open) => !open && onClose()}
        title={title}
        isFullOnPhones={isFullOnPhones || isDrawer}
        isDrawer={isDrawer}
        isDismissable={isDismissable}
        role={isAlert ? "alertdialog" : "dialog"}
      >
        {children}
      </DialogPanel>
    </Suspense>
  );
}

/** The buttons at the end of a dialog or a form: the filled one last. */
export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className={styles.buttons}>{children}</div>
);
