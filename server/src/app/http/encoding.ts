/** The encodings in which the service sends text, the smallest first. */
const encodings = ["br", "gzip"] as const;

export type Encoding = (typeof encodings)[number];

/** The best encoding that the client accepts. Clients refuse one with `q=0`. */
export function encodingFor(accepted: string | string[] | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined;
  const names = String(accepted)
    .toLowerCase()
    .split(",")
    .flatMap((one) => {
      const [name = "", ...parameters] = one.split(";").map((part) => part.trim());
      return parameters.some((each) => /^q=0(\.0*)?$/.test(each)) ? [] : [name];
    });
  return encodings.find((encoding) => names.includes(encoding));
}
