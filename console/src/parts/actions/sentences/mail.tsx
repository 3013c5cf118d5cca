import { type Form, form, type Said, type Telling } from "./said";

const FORMS: Readonly<Record<string, Form>> = {
  "mail.send": "letterSend",
  "mail.claim": "letterClaim",
  "mail.read": "letterRead",
  "mail.expire": "letterExpire",
  "mail.withdraw": "letterWithdraw",
  "mail.delete": "letterDelete",
  "codes.redeem": "codeRedeem",
};

/** What happened to a letter in a mailbox. */
export function letter(telling: Telling): Said {
  return { form: form(telling, FORMS[telling.entry.Kind] ?? "letterSend") };
}
