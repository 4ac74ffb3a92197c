/** A value at a moment; `at` is an ISO timestamp. */
export interface Point {
  readonly at: string;
  readonly value: number;
}

/** The area of a chart in which points are drawn, in user units of the SVG. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly padding: number;
}

export interface Placed extends Point {
  readonly x: number;
  readonly y: number;
}

/** Where points are in the frame: time from left to right, values from 0 at the bottom to `max` at the top. */
export function placePoints(points: readonly Point[], max: number, frame: Frame): Placed[] {
  const times = points.map(({ at }) => new Date(at).getTime());
  const first = Math.min(...times);
  const span = Math.max(...times) - first;
  const { width, height, padding } = frame;
  return points.map((point, index) => ({
    ...point,
    x: round(span === 0 ? width / 2 : padding + ((times[index]! - first) / span) * (width - 2 * padding)),
    y: round(height - padding - (Math.min(point.value, max) / (max || 1)) * (height - 2 * padding)),
  }));
}

/** The path of a line through the points, for the attribute `d`. */
export const linePath = (placed: readonly Placed[]): string =>
  placed.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");

/** The path of the area between the line and the bottom. */
export function areaPath(placed: readonly Placed[], bottom: number): string {
  if (placed.length === 0) return "";
  return `${linePath(placed)}L${placed.at(-1)!.x} ${bottom}L${placed[0]!.x} ${bottom}Z`;
}

/** The least of 1, 2 and 5 times a power of ten that is not below the value: the top of an axis. */
export function niceMax(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5, 10].find((each) => each * power >= value)!;
  return factor * power;
}

/** A ring segment of a picture of categories: sector `index` of `count`, between two radii around the origin. */
export interface Sector {
  readonly index: number;
  readonly count: number;
  readonly inner: number;
  readonly outer: number;
}

/** The path of a sector, clockwise from the top, with a gap of `gap` radians to its neighbours. */
export function sectorPath({ index, count, inner, outer }: Sector, gap = 0.03): string {
  const step = (2 * Math.PI) / count;
  const from = index * step + gap / 2;
  const to = (index + 1) * step - gap / 2;
  const at = (radius: number, angle: number): string =>
    `${round(radius * Math.sin(angle))} ${round(-radius * Math.cos(angle))}`;
  const large = to - from > Math.PI ? 1 : 0;
  return [
    `M${at(inner, from)}`,
    `L${at(outer, from)}`,
    `A${outer} ${outer} 0 ${large} 1 ${at(outer, to)}`,
    `L${at(inner, to)}`,
    `A${inner} ${inner} 0 ${large} 0 ${at(inner, from)}Z`,
  ].join("");
}

/** Where the label of a sector is centred. */
export function sectorCentre(
  { index, count }: Pick<Sector, "index" | "count">,
  radius: number,
): [number, number] {
  const angle = ((index + 0.5) * 2 * Math.PI) / count;
  return [round(radius * Math.sin(angle)), round(-radius * Math.cos(angle))];
}

const round = (value: number): number => Math.round(value * 100) / 100;
