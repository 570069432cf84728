/**
 * Every component of this folder in its states. Users never download this page, since the build has no entry for it. `npm run dev`
 * in web/ serves it at /gallery.html, and web/test/gallery.test.ts inspects it. Its texts are not translated.
 */
import "./tokens.css";
import "./base.css";
import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import type { ComponentType } from "react";
import { createRoot } from "react-dom/client";
import { OutwardButton } from "./button.tsx";
import { Buttons } from "./gallery/buttons.tsx";
import { Codes } from "./gallery/codes.tsx";
import { Fields } from "./gallery/fields.tsx";
import { Forms } from "./gallery/forms.tsx";
import styles from "./gallery/gallery.module.css";
import { Lists } from "./gallery/lists.tsx";
import { Overlays } from "./gallery/overlays.tsx";
import { Pages } from "./gallery/pages.tsx";
import { Rows } from "./gallery/rows.tsx";
import { Cards, Faces, States, Words } from "./gallery/words.tsx";
import { Page } from "./page.tsx";
import { Toasts } from "./toasts.tsx";

/** The looks of the gallery, as parameters of its address. */
const LOOKS: Record<string, Record<string, string>> = {
  "As the device": {},
  "Light": { theme: "light" },
  "Dark": { theme: "dark" },
  "Right to left, long words": { dir: "rtl", text: "long" },
};

const SECTIONS: Record<string, ComponentType> = {
  Buttons,
  Words,
  Faces,
  Cards,
  States,
  Fields,
  Forms,
  Lists,
  Codes,
  Rows,
  Pages,
  Overlays,
};

const look = new URLSearchParams(location.search);

const Gallery = () => (
  <main>
    <Page
      title="Gallery"
      documentTitle="Gallery"
      beneath={Object.entries(LOOKS).map(([words, look]) => (
        <OutwardButton key={words} kind="quiet" href={`?${new URLSearchParams(look)}`}>
          {words}
        </OutwardButton>
      ))}
    >
      {Object.entries(SECTIONS)
        .filter(([name]) => (look.get("section") ?? name) === name)
        .map(([name, Content]) => (
          <section key={name} className={styles.section} aria-label={name}>
            <h2>
              <a href={`?section=${name}`}>{name}</a>
            </h2>
            <Content />
          </section>
        ))}
    </Page>
    <Toasts />
  </main>
);

/** Doubles the vowels of all texts, since words are longer in other languages. */
function lengthen(element: Node): void {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode() !== null) {
    const text = texts.currentNode;
    text.nodeValue = text.nodeValue?.replace(/[aeiou]/gi, "$&$&") ?? null;
  }
}

const html = document.documentElement;
html.dir = look.get("dir") ?? "ltr";
html.dataset.theme = look.get("theme") ?? "";
if (look.get("text") === "long")
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) lengthen(node);
  }).observe(document.body, { childList: true, subtree: true });

i18n.loadAndActivate({ locale: "en", messages: {} });
const router = createRouter({
  routeTree: createRootRoute({ component: Gallery }),
  history: createMemoryHistory(),
});
const root = document.getElementById("root");
if (!root) throw new Error("gallery.html has no element #root.");
createRoot(root).render(
  <I18nProvider i18n={i18n}>
    <RouterProvider router={router as never} />
  </I18nProvider>,
);
