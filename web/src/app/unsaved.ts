import { createRegistry } from "./registry.ts";

const forms = createRegistry<() => boolean>();

/** A form offers the question whether leaving it would lose something. */
export const useUnsaved = forms.useOffer;

/** A page with typed text stays when its person may no longer see it, so that the text can be copied. */
export const isAnythingUnsaved = (): boolean => forms.all().some((isUnsaved) => isUnsaved());
