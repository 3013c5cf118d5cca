import { describe, expect, it } from "vitest";
import { bodyOf, type ClientDraft, draftOf, isComplete, NEW_CLIENT } from "./draft";

const FORUM: ClientDraft = {
  ...NEW_CLIENT,
  name: " Forum ",
  redirects: " https://forum.example.com/callback \n\n",
};

describe("a client as it is typed", () => {
  it("needs a name and a redirect address", () => {
    expect(isComplete(FORUM)).toBe(true);
    expect(isComplete({ ...FORUM, name: " " })).toBe(false);
    expect(isComplete({ ...FORUM, redirects: " \n" })).toBe(false);
  });

  it("has addresses without empty lines and spaces", () => {
    expect(bodyOf(FORUM)).toMatchObject({
      name: "Forum",
      redirecturis: ["https://forum.example.com/callback"],
      logouturis: [],
    });
  });

  it("asks for consent and needs PKCE, if it is a launcher", () => {
    const weak = { ...FORUM, asksConsent: false, requiresPkce: false };
    expect(bodyOf(weak)).toMatchObject({ asksconsent: false, requirespkce: false });
    expect(bodyOf({ ...weak, kind: "launcher" })).toMatchObject({
      asksconsent: true,
      requirespkce: true,
    });
  });

  it("is read from a stored client without the scope that all have", () => {
    const stored = {
      Id: "1",
      Name: "Forum",
      IsPublic: false,
      IsDiscourse: true,
      RedirectUris: ["https://a.example", "https://b.example"],
      LogoutUris: [],
      BackchannelUri: null,
      Scopes: ["openid", "profile"],
      RequiresPkce: true,
      AsksConsent: false,
      AdmitsBanned: false,
      CreatedAt: "2026-03-14T18:22:05Z",
      UsedAt: null,
      SignIns: 0,
    };
    expect(draftOf(stored)).toMatchObject({
      kind: "discourse",
      redirects: "https://a.example\nhttps://b.example",
      backchannel: "",
      scopes: ["profile"],
    });
  });
});
