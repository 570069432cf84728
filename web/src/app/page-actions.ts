import { createRegistry } from "./registry.ts";

/** An action of the page, as the command palette lists it. Actions that the caller may never perform are left out. */
export type PageAction = { id: string; label: string; run: () => void };

const actions = createRegistry<PageAction>();
export const pageActions = actions.all;

/** Puts the actions of a page into the command palette while the page is shown. */
export const usePageActions = actions.useOffer;
