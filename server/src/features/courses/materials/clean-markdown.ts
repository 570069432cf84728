import type { Nodes, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown, gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown } from "mdast-util-to-markdown";
import { gfm } from "micromark-extension-gfm";

/**
 * Removes raw HTML, and links other than http, https and mailto, from GitHub Flavored Markdown. The text of a link stays.
 * Markdown without them is returned unchanged. The characters around a removed tag can form a new one, so the result is
 * parsed again until nothing is found.
 */
export function cleanMarkdown(markdown: string): string {
  for (let text = markdown; ; ) {
    const tree = fromMarkdown(text, {
      extensions: [gfm()],
      mdastExtensions: [gfmFromMarkdown()],
    });
    if (!removeUnsafe(tree)) return text;
    text = toMarkdown(tree, {
      bullet: "-",
      // Padded columns could make a table many times as long.
      extensions: [gfmToMarkdown({ tablePipeAlign: false })],
    });
  }
}

/** Returns whether something was removed. */
function removeUnsafe(node: Nodes): boolean {
  if (!("children" in node)) return false;
  let removed = false;
  const kept = node.children.flatMap((child) => {
    removed = removeUnsafe(child) || removed;
    const rest = restOf(child);
    if (!rest) return [child];
    removed = true;
    return rest;
  });
  node.children = kept as typeof node.children;
  return removed;
}

/** The nodes that remain of an unsafe node, or undefined for a safe one. */
function restOf(node: RootContent): RootContent[] | undefined {
  if (node.type === "html") return [];
  if (!("url" in node) || /^(https?|mailto):/i.test(node.url)) return undefined;
  if (node.type === "link") return node.children;
  return node.type === "image" && node.alt ? [{ type: "text", value: node.alt }] : [];
}
