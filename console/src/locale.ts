/** The language of the texts and of the numbers and plurals in them. */
export const LOCALE = "en";
