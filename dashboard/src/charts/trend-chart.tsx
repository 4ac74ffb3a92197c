import type { ReactNode } from "react";
import { formatDay } from "../parts/time.ts";
import styles from "./charts.module.css";
import { areaPath, linePath, niceMax, placePoints, type Frame, type Point } from "./geometry.ts";

const FRAME: Frame = { width: 640, height: 180, padding: 28 };

export interface TrendProps {
  /** What is shown, such as "Score". */
  readonly label: string;
  readonly points: readonly Point[];
  /** The top of the axis; without it, the least nice number above all values. */
  readonly max?: number;
}

/** A line over time, with the same numbers as a table. */
export function TrendChart({ label, points, max }: TrendProps): ReactNode {
  const top = max ?? niceMax(Math.max(0, ...points.map(({ value }) => value)));
  const placed = placePoints(points, top, FRAME);
  const bottom = FRAME.height - FRAME.padding;
  return (
    <figure className={styles["chart"]}>
      <svg className={styles["trend"]} viewBox={`0 0 ${FRAME.width} ${FRAME.height}`} aria-hidden="true">
        {[0, 0.5, 1].map((share) => (
          <Gridline key={share} y={bottom - share * (bottom - FRAME.padding)} value={share * top} />
        ))}
        <path className={styles["area"]} d={areaPath(placed, bottom)} />
        <path className={styles["line"]} d={linePath(placed)} />
        {placed.length <= 40 &&
          placed.map(({ x, y }, index) => (
            <circle key={index} className={styles["dot"]} cx={x} cy={y} r={3.5} />
          ))}
        <EdgeLabels points={points} />
      </svg>
      <PointTable label={label} points={points} />
    </figure>
  );
}

const Gridline = ({ y, value }: { y: number; value: number }): ReactNode => (
  <>
    <line className={styles["axis"]} x1={FRAME.padding} x2={FRAME.width - FRAME.padding} y1={y} y2={y} />
    <text className={styles["tick"]} x={FRAME.padding - 6} y={y + 4} textAnchor="end">
      {Number.isInteger(value) ? value : ""}
    </text>
  </>
);

const EdgeLabels = ({ points }: { points: readonly Point[] }): ReactNode => {
  const [first, last] = [points[0], points.at(-1)];
  const y = FRAME.height - 8;
  if (!first || !last || first === last) return null;
  return (
    <>
      <text className={styles["tick"]} x={FRAME.padding} y={y}>
        {formatDay(first.at)}
      </text>
      <text className={styles["tick"]} x={FRAME.width - FRAME.padding} y={y} textAnchor="end">
        {formatDay(last.at)}
      </text>
    </>
  );
};

function PointTable({ label, points }: { label: string; points: readonly Point[] }): ReactNode {
  return (
    <details className={styles["legend"]}>
      <summary>{label} as a table</summary>
      <table className={styles["table"]}>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">{label}</th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ at, value }, index) => (
            <tr key={index}>
              <td>{formatDay(at)}</td>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
