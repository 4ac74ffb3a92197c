import * as z from "zod";

/** The one line that a supervised demo target says on stdout: where it is, or why it is nowhere. */
export const announcementSchema = z.union([
  z.strictObject({ url: z.url(), caPem: z.string() }),
  z.strictObject({ failure: z.string(), code: z.string().optional() }),
]);
export type Announcement = z.infer<typeof announcementSchema>;

export const announce = (announcement: Announcement): void =>
  void process.stdout.write(`${JSON.stringify(announcement)}\n`);
