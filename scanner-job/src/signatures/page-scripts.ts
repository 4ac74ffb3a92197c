/**
 * True for the path of a script that a page loads, as in the errors that browsers report: below a folder that sites serve
 * their files from, or with a name that a bundler made. On a disk, programs are in other folders.
 */
export const isPageScript = (path: string): boolean => SERVED_FOLDER.test(path) || BUNDLED.test(path);

const SERVED_FOLDER =
  /^\/(?!(?:app|usr|var|srv|opt|home|root|Users|workspace|tmp)\/)(?:[\w.-]{1,40}\/){0,2}(?:static|assets?|_next|_nuxt|js|javascripts?|scripts?|public|media|packs|bundles|chunks|cdn|wp-content|wp-includes)\//i;
/** `main.3f9a1c2b.js`, `chunk-VENDOR.js`, `runtime.bundle.js`, `jquery.min.js`. */
const BUNDLED = /[/.-](?:[\da-f]{8,32}|chunk|bundle|min)\.m?js$|\/chunk-[\w-]{1,40}\.m?js$/i;

/** The lines of a trace without those that name the scripts of a page. */
export const withoutPageFrames = (lines: string): string =>
  lines.replaceAll(FRAME, (frame, path: string) => (isPageScript(path) ? "" : frame));

const FRAME = /^[ \t]*at (?:[^\n()/]{1,120} \()?(\/[^\s()?#]{1,300})(?:[?#][^\s()]{0,200})?:\d+:\d+\)?/gm;
