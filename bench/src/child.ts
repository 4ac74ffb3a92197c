/** What the measured processes have in common: told by their environment, they say on stdout that they are ready. */
export function databaseUrl(): string {
  const url = process.env["DATABASE_URL"];
  if (!url) throw new Error("DATABASE_URL is required");
  return url;
}

/** One line: where it listens. From then on the process serves until it is killed. */
export const announce = (line: string): void => void process.stdout.write(`${line}\n`);
