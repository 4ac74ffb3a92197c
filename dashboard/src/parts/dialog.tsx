import { Dialog as Base } from "@base-ui/react/dialog";
import { useState, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { Form, FormActions } from "./form.tsx";
import styles from "./popup.module.css";

export interface DialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly isOpen: boolean;
  /** It shows a secret that is not shown again: only its buttons close it. */
  readonly holdsSecret?: boolean;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** Escape and a click beside it close it, unless something would be lost: what was typed, or a secret. */
export function Dialog({
  title,
  description,
  isOpen,
  holdsSecret = false,
  onClose,
  children,
}: DialogProps): ReactNode {
  const [isTyped, setTyped] = useState(false);
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && !isTyped && !holdsSecret && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles["backdrop"]} />
        <Base.Popup className={styles["dialog"]} onInput={() => setTyped(true)}>
          <Base.Title className={styles["title"]}>{title}</Base.Title>
          {description && (
            <Base.Description className={styles["description"]}>{description}</Base.Description>
          )}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** A panel from the side, for the navigation of narrow screens. */
export function Drawer({ title, isOpen, onClose, children }: DialogProps): ReactNode {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles["backdrop"]} />
        <Base.Popup className={styles["drawer"]}>
          <Base.Title className="visually-hidden">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

export interface FormDialogProps extends Omit<DialogProps, "isOpen" | "holdsSecret"> {
  /** What the button that submits says, such as "Create". */
  readonly action: string;
  /** It cannot be submitted now, such as while it already is. */
  readonly isDisabled: boolean;
  readonly onSubmit: () => void;
}

/** A form that is open as long as it is there. */
export function FormDialog({
  action,
  isDisabled,
  onSubmit,
  children,
  ...dialog
}: FormDialogProps): ReactNode {
  return (
    <Dialog {...dialog} isOpen>
      <Form onSubmit={onSubmit}>
        {children}
        <FormActions>
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={isDisabled}>
            {action}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

export interface ConfirmProps extends Omit<DialogProps, "children" | "holdsSecret"> {
  /** What the button that does it says, such as "Revoke". */
  readonly action: string;
  readonly isPending: boolean;
  readonly onConfirm: () => void;
}

/** Asks before what cannot be undone. */
export function Confirm({ action, isPending, onConfirm, ...dialog }: ConfirmProps): ReactNode {
  return (
    <Dialog {...dialog}>
      <FormActions>
        <Button onClick={dialog.onClose}>Cancel</Button>
        <Button look="danger" disabled={isPending} onClick={onConfirm}>
          {action}
        </Button>
      </FormActions>
    </Dialog>
  );
}
