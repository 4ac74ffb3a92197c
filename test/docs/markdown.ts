const withoutBlocks = (page: string): string => page.replaceAll(/^```[\s\S]*?^```$/gm, "");

/** Targets of the links of a page that lead to a file or a heading of this repository. */
export const linksOf = (page: string): string[] =>
  [...withoutBlocks(page).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, target]) => target!);

export const headingsOf = (page: string): string[] =>
  [...withoutBlocks(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);

/** The fragment under which GitHub shows a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
