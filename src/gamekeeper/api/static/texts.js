// The texts of a page in the language of its reader. The server writes them into the page, as data
// that the content security policy does not take for a script.

const TEXTS = JSON.parse(document.getElementById("texts").textContent);
const LANGUAGE = document.documentElement.lang;

// For English, Intl writes the month before the day; half of the English-speaking world does not.
export const LOCALE = LANGUAGE === "en" ? "en-GB" : LANGUAGE;

const plurals = new Intl.PluralRules(LOCALE);
const numbers = new Intl.NumberFormat(LOCALE);

export function has(key) {
  return key in TEXTS;
}

// A text with its placeholders filled in; `count` also chooses the plural form.
export function say(key, facts = {}) {
  const found = TEXTS[key];
  const text = typeof found === "string" ? found : (found[plurals.select(facts.count)] ?? found.other);
  return text.replace(/\{([a-z_]+)\}/g, (_, name) =>
    typeof facts[name] === "number" ? numbers.format(facts[name]) : facts[name],
  );
}

// The sentence for an answer that is not what was asked for.
export function refusal(status, failure) {
  if (status === 429) {
    return say("problem.too_many_requests", { count: Math.ceil((failure.Details?.RetryAfter ?? 1) / 60) });
  }
  if (status >= 500) {
    return say("problem.unavailable");
  }
  // What has no text of ours is a mistake of this page, and the server's words help to find it.
  return has(`problem.${failure.Code}`) ? say(`problem.${failure.Code}`) : failure.Message;
}
