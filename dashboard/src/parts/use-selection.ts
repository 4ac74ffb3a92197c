import { useState } from "react";

/** The selected rows of a table, by their ids. */
export interface Selection<Id> {
  readonly selected: readonly Id[];
  readonly toggle: (id: Id) => void;
}

export function useSelection<Id>(): Selection<Id> {
  const [selected, setSelected] = useState<readonly Id[]>([]);
  const toggle = (id: Id): void =>
    setSelected(selected.includes(id) ? selected.filter((each) => each !== id) : [...selected, id]);
  return { selected, toggle };
}
