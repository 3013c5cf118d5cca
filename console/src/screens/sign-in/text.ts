export const text = {
  title: "Sign in",
  username: "User name",
  password: "Password",
  go: "Continue",
  second: "Second step",
  secondHint: "Your password was right. Now show that it is you.",
  enrol: "Protect your account",
  enrolHint:
    "Staff need a second step to sign in. A passkey is quickest: your phone's or computer's own lock. An authenticator app works everywhere.",
  passkey: "Make a passkey",
  passkeyName: "Passkey of this device",
  app: "Use an authenticator app",
  wait: (seconds: number) => `Too many attempts. Try again in ${seconds} s.`,
  link: "Signing you in…",
  linkOver: "This link is used up or too old. Ask for a new one, or sign in below.",
};
