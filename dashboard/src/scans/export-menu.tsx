import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ACCOUNT_ID } from "../account.ts";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { keysOf } from "../parts/words.ts";
import { trpc } from "../trpc.ts";

/** The formats of a report by their names in the REST API. */
const FORMAT_LABELS = {
  sarif: "SARIF",
  junit: "JUnit",
  html: "HTML",
  markdown: "Markdown",
  csv: "CSV",
  accesscsv: "Access by caller (CSV)",
  codequality: "Code quality",
  json: "JSON",
} as const;

/** The report of a completed scan as a file, or why the plan has none. */
export function ExportMenu({ id }: { id: string }): ReactNode {
  const { data: account } = useQuery(trpc.account.get.queryOptions({}));
  if (!account) return null;
  const formats = keysOf(FORMAT_LABELS).map((format): MenuItem => ({
    label: FORMAT_LABELS[format],
    onSelect: () => download(id, format),
  }));
  const isIncluded = account.features.includes("reportExports");
  return (
    <Menu
      label="Export"
      items={isIncluded ? formats : [{ label: `The plan ${account.plan} does not include report exports.` }]}
    />
  );
}

function download(id: string, format: string): void {
  const link = document.createElement("a");
  link.href = `/admin/scan/${id}/report?account=${ACCOUNT_ID}&format=${format}`;
  link.download = "";
  link.click();
}
