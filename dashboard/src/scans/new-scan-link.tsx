import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { usePermission } from "../session/use-session.ts";
import { buttonClass } from "../parts/button.tsx";

/** For those who may start scans. */
export const NewScanLink = (): ReactNode =>
  usePermission("scans:write") ? (
    <Link to="/scans/new" className={buttonClass({ look: "primary" })}>
      New scan
    </Link>
  ) : null;
