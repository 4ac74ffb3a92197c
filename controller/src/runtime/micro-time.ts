/** A moment as the API takes it in fields of the type MicroTime (meta/v1): RFC 3339 with microseconds. */
export const microTime = (moment: Date): string => moment.toISOString().replace("Z", "000Z");
