// Codes that people type, XXXX-XXXX: of reset mails and of sanctions.

export const CODE = /^[0-9A-Z]{4}-[0-9A-Z]{4}$/;

// Each part in capitals with a hyphen between them, however it was typed or pasted.
export function tidied(typed) {
  const letters = typed.toUpperCase().replace(/[^0-9A-Z]/g, "").slice(0, 8);
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
}

export function keepTidy(input) {
  input.addEventListener("input", () => {
    // In the middle of the code the cursor would jump to the end, so there it waits for the blur.
    if (input.selectionStart === input.value.length) {
      input.value = tidied(input.value);
    }
  });
  input.addEventListener("blur", () => (input.value = tidied(input.value)));
}
