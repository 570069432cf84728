let skewMs = 0;

/** The clock of a phone can be a day wrong, so the app goes by the clock of the service once it has answered. */
export const now = (): number => Date.now() + skewMs;

/** Notes the time of the service, in milliseconds. */
export const setClock = (serviceNow: number): void => {
  skewMs = serviceNow - Date.now();
};
