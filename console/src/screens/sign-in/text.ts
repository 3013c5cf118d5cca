export const text = {
  title: "Sign in",
  username: "User name",
  password: "Password",
  go: "Continue",
  second: "Second factor",
  secondHint: "Password accepted. Confirm with your second factor.",
  enrol: "Protect your account",
  enrolHint:
    "Staff accounts need a second factor. A passkey uses the screen lock of your phone or computer. An authenticator app works everywhere.",
  passkey: "Create passkey",
  passkeyName: "Passkey of this device",
  app: "Use an authenticator app",
  wait: (seconds: number) => `Too many attempts. Try again in ${seconds} s.`,
  link: "Signing you in…",
  linkOver: "This link was already used or has expired. Ask for a new link, or sign in below.",
};
