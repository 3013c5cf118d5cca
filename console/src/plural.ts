import { grouped } from "~/format";
import { LOCALE } from "~/locale";

const RULES = new Intl.PluralRules(LOCALE);

/** The forms that a language has: English has `one` and `other`, Polish also `few` and `many`. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** The form for this count, with the number in place of the first #: "1 action", "1,204 actions". */
export function plural(count: number, forms: Forms): string {
  const form = forms[RULES.select(count)] ?? forms.other;
  return form.replace("#", () => grouped(count));
}
