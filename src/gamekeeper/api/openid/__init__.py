"""
The OpenID provider over HTTP: discovery, keys, authorization, tokens, user info and sign-out.

The paths and shapes are those of the standards (OpenID Connect Core, Discovery, RP-Initiated and
Back-Channel Logout; OAuth 2.0, RFC 6749, 7009, 7636, 9207). The routes exist only if the operator
set the issuer, and the discovery document describes them: they are not in the OpenAPI document.
"""
