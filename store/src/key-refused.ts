/** A key cannot be stored; the message names neither the key nor the account. */
export class KeyRefused extends Error {
  override readonly name = "KeyRefused";
  readonly reason: "otherAccount" | "unknownAccount";

  constructor(reason: KeyRefused["reason"], options?: ErrorOptions) {
    super(MESSAGES[reason], options);
    this.reason = reason;
  }
}

const MESSAGES = {
  otherAccount: "is the key of another account already",
  unknownAccount: "belongs to an account that is not there",
};
