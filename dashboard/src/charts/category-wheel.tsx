import { SEVERITIES, type CategoryResult, type Severity } from "@glovebox/contract";
import { CATEGORIES, CATEGORY_KEYS, type Category } from "@glovebox/contract/categories";
import type { ReactNode } from "react";
import { SEVERITY_LABELS } from "../parts/words.ts";
import styles from "./charts.module.css";
import { sectorCentre, sectorPath } from "./geometry.ts";

type Categories = Readonly<Record<Category, CategoryResult>>;
const INNER = 42;
const OUTER = 104;

/** The twelve categories as sectors, as long as their score; what was not assessed is hatched. Beside it the same as a table. */
export function CategoryWheel({ categories, score }: { categories: Categories; score: number }): ReactNode {
  return (
    <figure className={styles["wheelBox"]}>
      <svg className={styles["wheel"]} viewBox="-124 -124 248 248" aria-hidden="true">
        <defs>
          <pattern
            id="untested"
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="6" height="6" fill="var(--sunken)" />
            <rect width="2" height="6" fill="var(--control)" opacity="0.5" />
          </pattern>
        </defs>
        {CATEGORY_KEYS.map((key, index) => (
          <CategorySector key={key} index={index} result={categories[key]} />
        ))}
        <text className={styles["centre"]} y="11">
          {score}
        </text>
      </svg>
      <CategoryTable categories={categories} />
    </figure>
  );
}

function CategorySector({ index, result }: { index: number; result: CategoryResult }): ReactNode {
  const sector = { index, count: CATEGORY_KEYS.length, inner: INNER };
  const isTested = result.assessed !== false;
  const filled = INNER + Math.max(4, ((OUTER - INNER) * result.score) / 100);
  const [x, y] = sectorCentre(sector, OUTER + 11);
  return (
    <>
      <path className={styles[isTested ? "back" : "untested"]} d={sectorPath({ ...sector, outer: OUTER })} />
      {isTested && <path className={styles[toneOf(result)]} d={sectorPath({ ...sector, outer: filled })} />}
      <text className={styles["number"]} x={x} y={y + 3}>
        {index + 1}
      </text>
    </>
  );
}

/** The colour of a category: its worst finding. */
const worstOf = ({ findings }: CategoryResult): Severity | undefined =>
  SEVERITIES.find((severity) => findings.some((finding) => finding.severity === severity));

const toneOf = (result: CategoryResult): Severity | "good" => worstOf(result) ?? "good";

function CategoryTable({ categories }: { categories: Categories }): ReactNode {
  return (
    <table className={styles["table"]}>
      <caption className="visually-hidden">Score and findings of each category</caption>
      <thead>
        <tr>
          <th scope="col">Category</th>
          <th scope="col">Score</th>
          <th scope="col">Findings</th>
        </tr>
      </thead>
      <tbody>
        {CATEGORY_KEYS.map((key, index) => (
          <tr key={key}>
            <td>
              {index + 1}. {CATEGORIES[key].title}
            </td>
            <td>{categories[key].assessed === false ? "Not assessed" : categories[key].score}</td>
            <td>{findingsText(categories[key])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function findingsText(result: CategoryResult): string {
  if (result.assessed === false) return "–";
  const worst = worstOf(result);
  return worst ? `${result.findings.length}, worst ${SEVERITY_LABELS[worst].toLowerCase()}` : "None";
}
