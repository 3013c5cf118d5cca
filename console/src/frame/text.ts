/** The texts of the dialog for the second factor. The rest of the frame has the shared ones. */
export const text = {
  stepUp: {
    title: "Confirm it's you",
    app: "Enter the code from your authenticator app.",
    passkey: "Use your passkey.",
    either: "Use your passkey, or enter the code from your authenticator app.",
    noFactor: "You signed in more than ten minutes ago, and your account has no second factor.",
    add: "Add a second factor",
    link: "Or sign in again with a new link. An operator can create one on the command line:",
  },
};
