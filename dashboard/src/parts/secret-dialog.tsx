import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Code } from "./code.tsx";
import { Dialog } from "./dialog.tsx";
import { Form, FormActions } from "./form.tsx";

export interface SecretDialogProps {
  readonly title: string;
  /** What the secret is, such as "API key". */
  readonly what: string;
  readonly secret: string;
  readonly onClose: () => void;
  /** How to use it. */
  readonly children?: ReactNode;
}

/** Shows what is never shown again. */
export function SecretDialog({ title, what, secret, onClose, children }: SecretDialogProps): ReactNode {
  return (
    <Dialog
      title={title}
      description="Copy it now. You cannot see it again."
      isOpen
      holdsSecret
      onClose={onClose}
    >
      <Form onSubmit={onClose}>
        <Code title={what} what={what} text={secret} />
        {children}
        <FormActions>
          <Button type="submit" look="primary">
            I have copied it
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
