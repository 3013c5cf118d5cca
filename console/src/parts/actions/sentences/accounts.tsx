import classes from "../actions.module.css";
import { Listed } from "../Phrase";
import { stateOf, textAt } from "../read";
import { text } from "../text";
import { type Form, form, type Said, type Telling } from "./said";

export function account(telling: Telling): Said {
  const { entry } = telling;
  const isOwn = entry.Actor === `user:${entry.UserId}`;
  const forms: Record<string, Form> = {
    "users.register": isOwn ? "registered" : "register",
    "users.email": "email",
    "users.verify": "verified",
    "users.language": "language",
    "users.password": "password",
    "users.delete": "eraseUser",
    "users.export": "exportUser",
    "identities.link": "identityLink",
    "identities.unlink": "identityUnlink",
    "identities.code": "identityCode",
  };
  return { form: form(telling, forms[entry.Kind] ?? "importUser") };
}

export function powers(telling: Telling): Said {
  const [before, after] = [stateOf(telling.entry.Before), stateOf(telling.entry.After)];
  const named = (from: typeof before, to: typeof after) =>
    Object.keys(to)
      .filter((power) => to[power] === true && from[power] !== true)
      .map((power) => <Word key={power} of={text.powers[power] ?? power} />);
  const [given, taken] = [named(before, after), named(after, before)];
  const both: Form = taken.length > 0 ? "powersBoth" : "powersGiven";
  const name: Form = given.length > 0 ? both : taken.length > 0 ? "powersTaken" : "powers";
  return {
    form: form(telling, name),
    parts: {
      given: <Listed values={given} and={text.and} />,
      taken: <Listed values={taken} and={text.and} />,
    },
  };
}

export function session(telling: Telling): Said {
  const { entry } = telling;
  const isOwn = entry.Actor === `user:${entry.UserId}`;
  const how = textAt(stateOf(entry.After), "method") ?? "";
  const ended: Form = isOwn ? "signedOut" : "sessionEnd";
  const forms: Record<string, Form> = { "sessions.start": "signedIn", "sessions.link": "link" };
  return {
    form: form(telling, forms[entry.Kind] ?? ended),
    parts: { how: text.howSignedIn[how] ?? "" },
  };
}

export function factor(telling: Telling): Said {
  const { entry } = telling;
  const about = stateOf(entry.After ?? entry.Before);
  const kind = textAt(about, "kind") ?? "";
  const forms: Record<string, Form> = {
    "factors.add": "factorAdd",
    "factors.remove": "factorRemove",
  };
  return {
    form: form(telling, forms[entry.Kind] ?? "factorReset"),
    parts: { factor: text.factors[kind] ?? text.something },
  };
}

/** Roles, keys, webhooks, clients and rules: things with a name that are made, changed and removed. */
const NAMED: Readonly<Record<string, [Form, string]>> = {
  "roles.create": ["roleNew", "name"],
  "roles.change": ["roleChange", "name"],
  "roles.delete": ["roleDelete", "name"],
  "staff.grant": ["grant", "role"],
  "staff.withdraw": ["withdraw", "role"],
  "staff.invite": ["invite", "role"],
  "staff.uninvite": ["uninvite", "role"],
  "keys.create": ["keyNew", "name"],
  "keys.revoke": ["keyRevoke", "name"],
  "webhooks.create": ["webhookNew", "url"],
  "webhooks.change": ["webhookChange", "url"],
  "webhooks.remove": ["webhookRemove", "url"],
  "openid.create": ["openidCreate", "name"],
  "openid.change": ["openidChange", "name"],
  "openid.remove": ["openidRemove", "name"],
  "findings.open": ["findingOpen", "measure"],
  "findings.acknowledge": ["findingAcknowledge", "note"],
  "rules.change": ["ruleChange", "rule"],
  "rules.remove": ["ruleRemove", "rule"],
  "campaigns.create": ["campaignCreate", "campaign"],
  "campaigns.start": ["campaignStart", "campaign"],
  "campaigns.pause": ["campaignPause", "campaign"],
  "campaigns.resume": ["campaignResume", "campaign"],
  "campaigns.stop": ["campaignStop", "campaign"],
  "campaigns.finish": ["campaignFinish", "campaign"],
  "campaigns.reverse": ["campaignReverse", "campaign"],
  "campaigns.take": ["campaignTake", "campaign"],
  "schedules.create": ["scheduleCreate", "schedule"],
  "schedules.pause": ["schedulePause", "schedule"],
  "schedules.resume": ["scheduleResume", "schedule"],
  "schedules.skip": ["scheduleSkip", "schedule"],
  "schedules.run": ["scheduleRun", "schedule"],
  "schedules.delete": ["scheduleDelete", "schedule"],
  "codes.create": ["codesCreate", "batch"],
  "codes.download": ["codesDownload", "batch"],
  "codes.activate": ["codesActivate", "batch"],
  "codes.revoke": ["codesRevoke", "batch"],
  "segments.change": ["segmentChange", "segment"],
  "segments.remove": ["segmentRemove", "segment"],
  "segment_lists.add": ["listAdd", "list"],
  "segment_lists.remove": ["listRemove", "list"],
  "orders.receive": ["orderReceive", "order_id"],
  "orders.assign": ["orderAssign", "order_id"],
  "orders.refund": ["orderRefund", "order_id"],
  "orders.return": ["orderReturn", "order_id"],
  "orders.dispute": ["orderDispute", "order_id"],
  "products.change": ["productChange", "product"],
  "products.remove": ["productRemove", "product"],
};

export function named(telling: Telling): Said {
  const { Kind, Before, After } = telling.entry;
  const [name, key] = NAMED[Kind] ?? ["unknown" as const, "name"];
  const called = textAt(stateOf(After ?? Before), key) ?? text.something;
  return { form: form(telling, name), parts: { name: <Word of={called} /> } };
}

function Word({ of }: { of: string }) {
  return <span className={classes.value}>{of}</span>;
}
