// A small website that signs players in, with a library of another author (openid-client).
// Started as: node website.mjs PORT ISSUER CLIENT_ID CLIENT_SECRET SCOPE

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createRemoteJWKSet, jwtVerify } from "jose";
import * as oidc from "openid-client";

const [port, issuer, id, secret, scope] = process.argv.slice(2);
const home = `http://127.0.0.1:${port}`;
const config = await oidc.discovery(new URL(issuer), id, secret, undefined, {
  execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks],
});
const keys = createRemoteJWKSet(new URL(config.serverMetadata().jwks_uri));

const begun = new Map();
const sessions = new Map();

const cookieOf = (request) => /website=([^;]+)/.exec(request.headers.cookie ?? "")?.[1];

async function login(answer) {
  const verifier = oidc.randomPKCECodeVerifier();
  const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
  begun.set(state, { verifier, nonce });
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: `${home}/callback`,
    scope,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
  });
  answer.writeHead(303, { Location: address.href }).end();
}

async function callback(url, answer) {
  const state = url.searchParams.get("state");
  const { verifier, nonce } = begun.get(state);
  begun.delete(state);
  const tokens = await oidc.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  const player = await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
  const session = randomUUID();
  sessions.set(session, { tokens, claims, player });
  answer.writeHead(303, { Location: "/", "Set-Cookie": `website=${session}; Path=/; HttpOnly; SameSite=Lax` }).end();
}

async function refresh(session, answer) {
  const tokens = await oidc.refreshTokenGrant(config, session.tokens.refresh_token);
  session.tokens = tokens;
  answer.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(tokens.claims()));
}

async function signOut(cookie, answer) {
  const address = oidc.buildEndSessionUrl(config, {
    id_token_hint: sessions.get(cookie).tokens.id_token,
    post_logout_redirect_uri: `${home}/`,
  });
  sessions.delete(cookie);
  answer.writeHead(303, { Location: address.href }).end();
}

async function backchannel(request, answer) {
  let body = "";
  for await (const piece of request) {
    body += piece;
  }
  const { payload } = await jwtVerify(new URLSearchParams(body).get("logout_token"), keys, {
    issuer,
    audience: id,
    typ: "logout+jwt",
    algorithms: ["RS256"],
    requiredClaims: ["jti", "sid", "sub", "events"],
  });
  for (const [session, { claims }] of sessions) {
    if (claims.sid === payload.sid && claims.sub === payload.sub) {
      sessions.delete(session);
    }
  }
  answer.writeHead(200).end();
}

function page(session, answer) {
  answer.writeHead(200, { "Content-Type": "text/html" });
  answer.end(
    session
      ? `<h1>Welcome, ${session.player.name}</h1><pre>${JSON.stringify(session.player)}</pre>`
      : '<h1>Signed out</h1><a href="/login">Sign in</a>',
  );
}

async function serve(request, answer) {
  const url = new URL(request.url, home);
  const cookie = cookieOf(request);
  const session = sessions.get(cookie);
  switch (url.pathname) {
    case "/login":
      return login(answer);
    case "/callback":
      return callback(url, answer);
    case "/refresh":
      return refresh(session, answer);
    case "/sign-out":
      return signOut(cookie, answer);
    case "/backchannel":
      return backchannel(request, answer);
    default:
      return page(session, answer);
  }
}

createServer((request, answer) => {
  serve(request, answer).catch((fault) => answer.writeHead(500).end(String(fault?.cause ?? fault)));
}).listen(Number(port), "127.0.0.1");
