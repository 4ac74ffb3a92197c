import type { Operation } from "../inventory/operation.ts";
import type { Resource } from "../sequences/resources.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import type { WriteJournal } from "./journal.ts";

/** What an active scan may write to. */
export interface ActiveTarget {
  /** Whose objects are created. */
  readonly owner: string;
  /** Another user, who must not change them. */
  readonly stranger: string | undefined;
  readonly journal: WriteJournal;
  readonly resources: readonly Resource[];
  /** Undefined where nobody could register. */
  readonly furtherUsers: FurtherUsers | undefined;
}

/** Users beside the owner and the stranger. */
export interface FurtherUsers {
  /** Registers users. */
  readonly operation: Operation;
  /**
   * Registers and signs in another, with further members of the body. `user` is undefined where that failed, and the whole where no
   * more are registered. @throws NetworkError
   */
  register(
    send: (request: ProbeRequest) => Promise<ProbeResponse>,
    more?: object,
  ): Promise<{ readonly response: ProbeResponse; readonly user?: FurtherUser } | undefined>;
}

/** A user that a check may change. */
export interface FurtherUser {
  /** For `as`. */
  readonly caller: string;
  readonly password: string;
  /** Signs in once more, with this password from now on; false where that is refused, which changes nothing. @throws NetworkError */
  signInWith(password: string): Promise<boolean>;
}
