/** The calendar month (UTC) that a moment belongs to, as quotas count them: `2026-11`. */
export const monthOf = (moment: Date): string => moment.toISOString().slice(0, 7);
