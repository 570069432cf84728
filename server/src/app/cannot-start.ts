/** The message tells the operator what to change. */
export class CannotStart extends Error {}
