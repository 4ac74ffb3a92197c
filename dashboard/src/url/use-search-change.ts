import { useNavigate } from "@tanstack/react-router";
import { withChange, type Change, type SearchState } from "./search-state.ts";

/** Changes the list's filters in the URL, without an entry in the history for each. */
export function useSearchChange<State extends SearchState>(state: State): (change: Change<State>) => void {
  const navigate = useNavigate();
  return (change) => void navigate({ to: ".", search: withChange(state, change) as never, replace: true });
}
