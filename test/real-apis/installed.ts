/** Call it before the APIs are started: it installs them when they are missing or older than their lockfile. */
export async function ensureInstalled(): Promise<void> {
  const script = new URL("../../cli/bin/node24.mjs", import.meta.url).href;
  const { installDependencies } = (await import(script)) as {
    installDependencies: (project: URL, flags: string[]) => number;
  };
  const status = installDependencies(new URL("./", import.meta.url), ["--ignore-scripts"]);
  if (status !== 0) throw new Error("npm ci --prefix test/real-apis failed");
}
