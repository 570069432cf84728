/** In this order, because browsers also name those that they descend from. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/|\bEdgiOS\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/Chrome\/|\bChromium\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** The browser or program of a user agent in words, such as "Firefox on Android". People recognize their devices by it. */
export function deviceOf(userAgent: string | undefined): string | undefined {
  if (userAgent === undefined) return undefined;
  const nameIn = (known: typeof browsers) =>
    known.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = nameIn(systems);
  // Other programs begin with their name: curl/8.19.0.
  const program = nameIn(browsers) ?? /^(?!Mozilla)[A-Za-z][\w.-]{0,39}(?=\/)/.exec(userAgent)?.[0];
  return program !== undefined && system !== undefined ? `${program} on ${system}` : program;
}
