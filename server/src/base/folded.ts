/** The text without case and accents, for comparisons in memory. The database compares with its function `fold`. */
export const folded = (text: string): string =>
  text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
