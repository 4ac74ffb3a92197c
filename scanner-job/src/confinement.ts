type Permission = NodeJS.ProcessPermission & { drop?: (scope: string) => void };

/**
 * Takes from this process, for good, the right to start threads. Needed because Node's permission model does not
 * bind a thread that is started with arguments of its own (`execArgv`). Does nothing in a process without that model.
 */
export function forgoThreads(): void {
  const permission: Permission | undefined = process.permission;
  permission?.drop?.("worker");
}
