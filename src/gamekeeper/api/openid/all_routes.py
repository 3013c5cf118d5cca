"""All routes of the provider."""

from gamekeeper.api.openid import authorize, discovery, sign_in, sign_out, token

routes = [
    route
    for module in (discovery, authorize, sign_in, sign_out, token)
    for route in module.routes.routes
]
