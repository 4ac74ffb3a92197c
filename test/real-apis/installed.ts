/** Installs the APIs if they are missing or differ from their lockfile. */
export async function ensureInstalled(): Promise<void> {
  const script = new URL("../../cli/bin/node24.mjs", import.meta.url).href;
  const { installDependencies } = (await import(script)) as {
    installDependencies: (project: URL, flags: string[]) => number;
  };
  const status = installDependencies(new URL("./", import.meta.url), ["--ignore-scripts"]);
  if (status !== 0) throw new Error("npm ci --prefix test/real-apis failed");
}
