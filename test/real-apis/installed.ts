/** Call it before the APIs are started: it installs them when they are missing or older than their lockfile. */
export async function ensureInstalled(): Promise<void> {
  const root = new URL("../../", import.meta.url);
  const script = new URL("scripts/install-real-apis.mjs", root).href;
  const { installRealApis } = (await import(script)) as { installRealApis: (root: URL) => Promise<void> };
  await installRealApis(root);
}
