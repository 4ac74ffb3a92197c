import { SEVERITIES, type Severity } from "@glovebox/contract";

/** A colour on a light page and on a dark one. */
type Color = readonly [light: string, dark: string];

/** Text, the surface behind it, and a mark that is seen without text, such as a dot or a bar. */
interface Tone {
  readonly text: Color;
  readonly soft: Color;
  readonly mark: Color;
}

const SEVERITY_TONES: Record<Severity, Tone> = {
  critical: { text: ["#8f0f2a", "#ff9db0"], soft: ["#ffe1e7", "#4a0d1c"], mark: ["#b3123a", "#f2577c"] },
  high: { text: ["#93360a", "#ffb48a"], soft: ["#ffe9dc", "#43200c"], mark: ["#d4530f", "#f2803f"] },
  medium: { text: ["#73500a", "#f3d07a"], soft: ["#fdf1cf", "#38290a"], mark: ["#b17c05", "#e0b02c"] },
  low: { text: ["#14558f", "#9cccff"], soft: ["#e1effc", "#0f2a44"], mark: ["#2b7fc9", "#5aa9f0"] },
  info: { text: ["#4b5563", "#b4bfcc"], soft: ["#eceff3", "#232b36"], mark: ["#6f7b8b", "#8a97a8"] },
};
const GOOD: Tone = {
  text: ["#12602e", "#86dda0"],
  soft: ["#def5e4", "#10321c"],
  mark: ["#2a9350", "#4cbf74"],
};

const tokensOf = (name: string, { text, soft, mark }: Tone): Record<string, Color> => ({
  [name]: text,
  [`${name}-soft`]: soft,
  [`${name}-mark`]: mark,
});

const SURFACE: Color = ["#ffffff", "#151b23"];
const ACCENT: Color = ["#0b6b62", "#5fd9c8"];

const COLORS: Readonly<Record<string, Color>> = {
  page: ["#f6f7f9", "#0d1117"],
  surface: SURFACE,
  raised: ["#ffffff", "#1b222c"],
  sunken: ["#eef1f4", "#0a0e13"],
  hover: ["#f1f4f7", "#1e2630"],
  line: ["#dfe4ea", "#2a333f"],
  control: ["#7c8796", "#748294"],
  text: ["#12171e", "#e9edf2"],
  muted: ["#515c6b", "#a2aebd"],
  accent: ACCENT,
  "accent-soft": ["#dff2ef", "#11342f"],
  "on-accent": ["#ffffff", "#05211d"],
  danger: ["#b01d2e", "#ff9aa3"],
  "danger-soft": ["#fde8ea", "#3f141a"],
  added: ["#d9f2dd", "#12371d"],
  "added-text": ["#0d5524", "#9be4ae"],
  removed: ["#fde2e4", "#45161c"],
  "removed-text": ["#8c1522", "#ffb3ba"],
  "shadow-near": ["rgb(16 24 40 / 6%)", "rgb(0 0 0 / 40%)"],
  "shadow-far": ["rgb(16 24 40 / 18%)", "rgb(0 0 0 / 60%)"],
  // Behind a dialog, on both light and dark pages.
  backdrop: ["rgb(10 14 20 / 50%)", "rgb(10 14 20 / 50%)"],
  ...Object.assign({}, ...SEVERITIES.map((severity) => tokensOf(severity, SEVERITY_TONES[severity]))),
  ...tokensOf("good", GOOD),
};

const LENGTHS: Readonly<Record<string, string>> = {
  "space-1": "0.25rem",
  "space-2": "0.5rem",
  "space-3": "0.75rem",
  "space-4": "1rem",
  "space-5": "1.5rem",
  "space-6": "2rem",
  "space-7": "3rem",
  font: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  "font-code": 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  "text-xs": "0.75rem",
  "text-s": "0.8125rem",
  "text-m": "0.875rem",
  "text-l": "1rem",
  "text-xl": "1.25rem",
  "text-2xl": "1.625rem",
  "text-3xl": "2.25rem",
  "radius-s": "0.25rem",
  "radius-m": "0.5rem",
  "radius-l": "0.75rem",
  shadow: "0 1px 2px var(--shadow-near)",
  "shadow-popup": "0 12px 32px var(--shadow-far)",
};

const root = (scheme: string, colors: Readonly<Record<string, string>>): string => {
  const declarations = Object.entries({ ...LENGTHS, ...colors }).map(
    ([name, value]) => `  --${name}: ${value};`,
  );
  return [":root {", `  color-scheme: ${scheme};`, ...declarations, "}"].join("\n");
};

const colorsBy = (valueOf: (color: Color) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(COLORS).map(([name, color]) => [name, valueOf(color)]));

/**
 * The custom properties of every page: light or dark as the system, or the class on <html>, says. The dashboard has a copy,
 * dashboard/src/design/tokens.css, which `npm run generate` writes.
 */
export const TOKENS = `${root(
  "light dark",
  colorsBy(([light, dark]) => (light === dark ? light : `light-dark(${light}, ${dark})`)),
)}

html.theme-light {
  color-scheme: light;
}
html.theme-dark {
  color-scheme: dark;
}
`;

/** The tokens of a document that is printed or sent on: light everywhere. */
export const LIGHT_TOKENS = root(
  "light",
  colorsBy(([light]) => light),
);

/** The colours of the sign, which are the same on light and dark pages. */
export const SIGN = { box: ACCENT[0], left: SURFACE[0], right: ACCENT[1] };
