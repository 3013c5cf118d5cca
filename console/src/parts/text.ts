/** The texts of the parts that several screens use. */
export const text = {
  secondFactor: {
    passkey: "Use a passkey",
    or: "or",
    code: "6-digit code",
    recovery: "Recovery code",
    useRecovery: "Use a recovery code instead",
    useCode: "Use the authenticator app instead",
    go: "Continue",
    noPasskey: "Passkeys are not available in this browser or at this address.",
  },
  enrolment: {
    scan: "Scan this code with your authenticator app, or enter the secret.",
    secret: "Secret",
    code: "6-digit code",
    confirm: "Confirm",
    qr: "QR code for your authenticator app",
    codes: "Your recovery codes",
    codesHint:
      "Each code works once, if you lose your second factor. Store the codes with your passwords: they are not shown again.",
    download: "Download",
    file: "recovery-codes.txt",
    fileTitle: (game: string) => `Recovery codes of ${game}. Each works once.`,
    copy: "Copy codes",
    copied: "Copied",
    kept: "I've saved them",
  },
  itemPicker: { placeholder: "Part of the name", nothing: "No results" },
  catalogPicker: { placeholder: "Part of the name", nothing: "No results" },
  utc: (label: string) => `${label} (UTC)`,
  range: { label: "Time range", day: "24 h", week: "7 d", month: "30 d" },
  server: { alive: "up", dead: "down" },
};
