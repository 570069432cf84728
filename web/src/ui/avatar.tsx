import { type CSSProperties, useState } from "react";
import styles from "./avatar.module.css";
import { hue, initials } from "./names.ts";

/** The photo or the initials of a person or a group. The name stands beside it, so it is hidden from assistive technology. */
export function Avatar({
  name,
  photo,
  size = 34,
  isPrinted = false,
}: {
  name: string;
  photo?: string | null | undefined;
  size?: number;
  /** A photo that is not on the screen yet would be missing on paper. */
  isPrinted?: boolean;
}) {
  const [broken, setBroken] = useState<string>();
  const look = { "--hue": hue(name), "--size": `${size}px` } as CSSProperties;
  return photo && photo !== broken ? (
    <img
      className={styles.avatar}
      style={look}
      src={photo}
      alt=""
      loading={isPrinted ? "eager" : "lazy"}
      decoding="async"
      onError={() => setBroken(photo)}
    />
  ) : (
    <span className={styles.avatar} style={look} aria-hidden="true">
      {initials(name)}
    </span>
  );
}
