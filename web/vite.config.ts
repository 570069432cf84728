import { fileURLToPath } from "node:url";
import { lingui } from "@lingui/vite-plugin";
import optimizeLocales from "@react-aria/optimize-locales-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));
const service = process.env.VESTRY_URL ?? "http://127.0.0.1:8080";

/**
 * The order of the layers stands in front of every sheet. The minifier drops it where one sheet has the layers in order, but the
 * sheets of chunks can arrive first.
 */
const layers: Plugin = {
  name: "layers",
  enforce: "post",
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === "asset" && file.fileName.endsWith(".css"))
        file.source = `@layer tokens,base,ui,screens;${file.source.toString()}`;
  },
};

// An icon in a chunk of its own imports the base of the icons, which must be evaluated before it.
const VENDOR =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|lucide-react\/dist\/esm(?!\/icons)|@lingui|@tanstack\/(history|query-core|react-query|react-router|react-store|router-core|store))\//;
/** Our own modules. React Aria arrives after the first content. */
const OWN = /\/(sdk\/src|web\/src\/(app|data|ui))\//;

/** What most screens show at once. A field is needed by forms alone. */
const SHARED = /\/web\/src\/(app|ui)\/(?!combo-field)/;
/** The log-in must not load what only the frame needs. */
const LOGIN = /\/web\/src\/(app\/(attempt|login|login-form)|ui\/password-field)\.tsx$/;

/** `dev` serves the app with reloads, in front of a service that runs at VESTRY_URL. */
export default defineConfig({
  root,
  plugins: [
    react(),
    lingui({ cwd: root, macroTransform: true, failOnMissing: process.argv.includes("--strict") }),
    layers,
    { ...optimizeLocales.vite({ locales: ["en-US", "pt-BR", "es-ES"] }), enforce: "pre" },
  ],
  resolve: {
    alias: { "@vestry/sdk": fileURLToPath(new URL("../sdk/src/index.ts", import.meta.url)) },
  },
  css: { modules: { localsConvention: "camelCaseOnly" } },
  build: {
    target: "baseline-widely-available",
    // All browsers of the target preload modules.
    modulePreload: { polyfill: false },
    // A data URL of a font or a picture would not pass the policy of the service.
    assetsInlineLimit: 0,
    // Names the script of each module that is imported dynamically.
    manifest: true,
    // A first visit loads few files, which compress better than many small ones: what every page needs, the frame with all that
    // it imports, and what most screens share. Reads and writes stay with the screens that use them.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "vendor", test: VENDOR, tags: ["$initial"], priority: 3 },
            { name: "start", test: OWN, tags: ["$initial"], priority: 2 },
            { name: "field", test: /\/web\/src\/ui\/field\.tsx$/, priority: 2 },
            { name: "problem", test: /\/web\/src\/app\/problem-words\.tsx$/, priority: 2 },
            { name: "login", test: LOGIN, priority: 1 },
            { name: "frame", test: /\/web\/src\/app\/shell\.tsx$/, priority: 1 },
            { name: "shared", test: SHARED, minShareCount: 12 },
          ],
        },
      },
    },
  },
  server: {
    // The service takes the cookie from pages of its own origin alone.
    proxy: Object.fromEntries(
      ["^/v1/", "^/session$", "^/p/", "^/docs"].map((path) => [
        path,
        { target: service, headers: { Origin: service } },
      ]),
    ),
  },
});
