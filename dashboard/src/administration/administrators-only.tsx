import type { ReactNode } from "react";
import { Page } from "../parts/page.tsx";
import { Empty } from "../parts/states.tsx";
import { useSession } from "../session/use-session.ts";

/** The content of a page, once it is known that the user administers the service; to others a refusal. */
export function AdministratorsOnly({ title, children }: { title: string; children: ReactNode }): ReactNode {
  const user = useSession();
  if (user?.permissions.includes("accounts:administer")) return children;
  return (
    <Page title={title}>
      {user && <Empty title="Only administrators of the service may see this page" />}
    </Page>
  );
}
