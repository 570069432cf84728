/**
 * All that React Aria draws over a page. This chunk arrives after the first content, so screens import `popover.tsx`
 * and `dialog.tsx`, never this file.
 */
import { useLingui } from "@lingui/react/macro";
import { X } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import {
  Dialog,
  Heading,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  Popover,
  I18nProvider,
} from "react-aria-components";
import { IconButton } from "./button.tsx";
import { formatLocale } from "./format.ts";
import type { MenuEntry } from "./popover.tsx";
import styles from "./overlays.module.css";

type Open = { isOpen: boolean; onOpenChange: (isOpen: boolean) => void };

export function PopoverPanel({
  triggerRef,
  label,
  children,
  ...open
}: Open & { triggerRef: RefObject<HTMLElement | null>; label: string; children: ReactNode }) {
  return (
    <I18nProvider locale={formatLocale()}>
      <Popover {...open} triggerRef={triggerRef} className={styles.popover} placement="bottom end">
        <Dialog aria-label={label}>{children}</Dialog>
      </Popover>
    </I18nProvider>
  );
}

export function MenuPanel({
  triggerRef,
  label,
  entries,
  ...open
}: Open & { triggerRef: RefObject<HTMLElement | null>; label: string; entries: MenuEntry[] }) {
  return (
    <I18nProvider locale={formatLocale()}>
      <Popover
        {...open}
        triggerRef={triggerRef}
        className={styles.popover}
        placement="bottom end"
        aria-label={label}
      >
        <Menu
          className={styles.menu}
          aria-label={label}
          autoFocus="first"
          onClose={() => open.onOpenChange(false)}
          disabledKeys={entries.filter(({ reason }) => reason !== undefined).map(({ id }) => id)}
        >
          {entries.map(({ id, label, icon, reason, isDanger, href, onSelect }) => (
            <MenuItem
              key={id}
              id={id}
              textValue={label}
              className={`${styles.item} ${isDanger ? styles.danger : ""}`}
              aria-label={reason === undefined ? label : `${label}. ${reason}`}
              {...(href !== undefined && { href, target: "_blank" })}
              onAction={() => onSelect?.()}
            >
              {icon}
              <span>
                {label}
                {reason !== undefined && <small> · {reason}</small>}
              </span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </I18nProvider>
  );
}

export function DialogPanel({
  title,
  isFullOnPhones,
  isDrawer,
  isDismissable,
  role,
  children,
  ...open
}: Open & {
  title: ReactNode;
  isFullOnPhones: boolean;
  isDrawer: boolean;
  isDismissable: boolean;
  role: "dialog" | "alertdialog";
  children: ReactNode;
}) {
  const { t } = useLingui();
  return (
    <I18nProvider locale={formatLocale()}>
      <ModalOverlay
        {...open}
        isDismissable={isDismissable}
        className={`${styles.backdrop} ${isFullOnPhones ? styles.full : ""} ${isDrawer ? styles.drawer : ""}`}
      >
        <Modal className={styles.modal}>
          <Dialog className={styles.dialog} role={role}>
            <div className={styles.head}>
              <Heading slot="title">{title}</Heading>
              {isDrawer && (
                <IconButton
                  label={t`Close`}
                  icon={<X size={18} />}
                  onClick={() => open.onOpenChange(false)}
                />
              )}
            </div>
            {children}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </I18nProvider>
  );
}
