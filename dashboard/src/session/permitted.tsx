import type { AccountPermission } from "@glovebox/api/admin";
import type { ReactNode } from "react";
import { Page } from "../parts/page.tsx";
import { Empty } from "../parts/states.tsx";
import { useSession } from "./use-session.ts";

export interface PermittedProps {
  readonly permission: AccountPermission;
  /** Of the page. */
  readonly title: string;
  readonly children: ReactNode;
}

/** The content of a page, once it is known that the user has the permission; without it, a page that says so. */
export function Permitted({ permission, title, children }: PermittedProps): ReactNode {
  const user = useSession();
  if (!user) return null;
  if (user.permissions.includes(permission)) return children;
  const isOfService = permission === "accounts:administer";
  return (
    <Page title={title}>
      <Empty
        title={
          isOfService
            ? "Only administrators of the service can see this page"
            : "You do not have permission to do this"
        }
      >
        {isOfService
          ? undefined
          : "Your role in this account does not include it. An owner can change your role."}
      </Empty>
    </Page>
  );
}
