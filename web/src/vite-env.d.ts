/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** The hash of the sources of this build. The dev server has none. */
  readonly VITE_BUILD?: string;
}

declare module "*.po" {
  import type { Messages } from "@lingui/core";
  export const messages: Messages;
}

interface Window {
  /** Only some browsers have it. Scripts come from its policies alone, as the service demands. */
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL: () => string },
    ): {
      createScriptURL(input: string): string;
    };
  };
}
