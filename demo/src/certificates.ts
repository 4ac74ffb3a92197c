import { chmod, link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type DemoCertificates,
  createDemoCertificates,
  daysLeft,
  issueLeaf,
} from "./certificate-authority.ts";

const FILE = "demo-certificates.json";
const RENEW_WITHIN_DAYS = 30;

/**
 * The authority and the server certificate of the demo, created once and kept in `directory` (keys with mode 0600, and `ca.pem` for
 * clients). A server certificate that expires within 30 days is replaced by one of the same authority, which clients still trust.
 */
export async function ensureDemoCertificates(
  directory: string,
  now: () => Date = () => new Date(),
): Promise<DemoCertificates> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const kept = await read(directory);
  if (!kept || daysLeft(kept.caPem, now()) < RENEW_WITHIN_DAYS) {
    const made = await createDemoCertificates(now());
    return kept ? replace(directory, made) : createOnce(directory, made);
  }
  if (daysLeft(kept.certPem, now()) >= RENEW_WITHIN_DAYS) return kept;
  return replace(directory, { ...kept, ...(await issueLeaf(kept, now())) });
}

async function read(directory: string): Promise<DemoCertificates | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, FILE), "utf8")) as DemoCertificates;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`${join(directory, FILE)} cannot be read; delete it to create new certificates`, {
      cause: error,
    });
  }
}

/** If two processes start at the same time, both use the file of the one that links it first. */
async function createOnce(directory: string, made: DemoCertificates): Promise<DemoCertificates> {
  const draft = await writeDraft(directory, made);
  try {
    await link(draft, join(directory, FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft);
  }
  const won = await read(directory);
  if (!won) throw new Error(`${join(directory, FILE)} was deleted while it was being created`);
  return publish(directory, won);
}

async function replace(directory: string, made: DemoCertificates): Promise<DemoCertificates> {
  await rename(await writeDraft(directory, made), join(directory, FILE));
  return publish(directory, made);
}

async function writeDraft(directory: string, made: DemoCertificates): Promise<string> {
  const draft = join(directory, `${FILE}.${crypto.randomUUID()}`);
  await writeFile(draft, JSON.stringify(made, null, 2), { mode: 0o600, flag: "wx" });
  await chmod(draft, 0o600);
  return draft;
}

async function publish(directory: string, kept: DemoCertificates): Promise<DemoCertificates> {
  await writeFile(join(directory, "ca.pem"), kept.caPem, { mode: 0o644 });
  return kept;
}
