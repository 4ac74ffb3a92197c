import { Menu as Base } from "@base-ui/react/menu";
import type { ReactNode } from "react";
import { buttonClass, type ButtonLook } from "./button.tsx";
import styles from "./popup.module.css";

export interface MenuItem {
  readonly label: ReactNode;
  /** Without it the item is only read. */
  readonly onSelect?: (() => void) | undefined;
}

export interface MenuProps extends ButtonLook {
  readonly label: ReactNode;
  readonly items: readonly MenuItem[];
}

/** A button that opens a list of actions. */
export function Menu({ label, items, ...look }: MenuProps): ReactNode {
  return (
    <Base.Root modal={false}>
      <Base.Trigger className={buttonClass(look)}>{label}</Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={6} align="end">
          <Base.Popup className={styles["menu"]}>
            {items.map(({ label: text, onSelect }, index) => (
              <Base.Item key={index} className={styles["item"]} disabled={!onSelect} onClick={onSelect}>
                {text}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** What may be done with the thing of this name, in a row of a table. */
export const RowMenu = ({ name, items }: { name: string; items: readonly MenuItem[] }): ReactNode => (
  <Menu
    size="small"
    label={
      <>
        Change<span className="visually-hidden"> {name}</span>
      </>
    }
    items={items}
  />
);
