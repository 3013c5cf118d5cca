import { grouped } from "~/format";
import { plural } from "~/plural";

export const text = {
  checks: {
    title: "Checks",
    hint: "The checks of gamekeeper doctor.",
    checked: "Checked",
    again: "Check again",
    attention: "Needs attention",
    allPassed: "All checks passed.",
    passed: (count: number) => plural(count, { one: "# check passed", other: "# checks passed" }),
    show: (count: number) =>
      plural(count, { one: "Show # passed check", other: "Show # passed checks" }),
    hide: "Hide passed checks",
    states: {
      ok: "Passed",
      warning: "Warning",
      failed: "Failed",
      unknown: "Skipped",
    },
    fix: "Fix:",
  },
  backup: {
    title: "Backup",
    hint: "The last one by gamekeeper backup.",
    none: "No backup is recorded.",
    noneHint:
      "Run gamekeeper backup every night, and copy the backup to another machine. Backups by other programs are not known here.",
    old: "The last backup is older than a day.",
    oldHint: "Find out why the nightly backup did not run, and run: gamekeeper backup PLACE",
    made: "Completed",
    size: "Size",
    duration: "Duration",
    by: "By",
    unknown: "unknown",
  },
  ledger: {
    title: "Ledger",
    hint: "Verifies that everything players hold follows from the postings. It changes nothing, and the game can stay live.",
    verify: "Verify",
    again: "Verify again",
    reason: "Reason",
    reasonHint: "Required for the audit log",
    states: {
      never: "No verification was started here.",
      waiting: "Waiting for a worker …",
      running: "Verifying …",
      clean: "The ledger is correct: no faults.",
      faults: "The ledger has faults.",
      interrupted: "The verification did not finish.",
    },
    waitingHint:
      "No worker has started the verification. Check that a worker is running: gamekeeper worker",
    faultsHint: "To list each fault, run: gamekeeper ledger verify",
    interruptedHint: "The worker stopped, or none was running. Start the verification again.",
    progress: "Verified postings",
    postings: (done: number, total: number) =>
      `${grouped(done)} of ${plural(total, { one: "# posting", other: "# postings" })}`,
    verified: (total: number) => plural(total, { one: "# posting", other: "# postings" }),
    startedBy: "Started by",
    started: "Started",
    ended: "Ended",
    scope: "Verified",
    laws: "Faults by law",
    law: "Law",
    count: "Faults",
    more: (count: number) => `more than ${grouped(count)}`,
  },
};
