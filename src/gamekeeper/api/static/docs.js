"use strict";

// Swagger UI has a dark look, but leaves it to us to ask for it.
const dark = matchMedia("(prefers-color-scheme: dark)");
const dress = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", dress);
dress();

SwaggerUIBundle({
  // Beside this script's folder, wherever a proxy has put it.
  url: new URL("../openapi.json", document.currentScript.src).href,
  dom_id: "#docs",
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  // The badge would show the document to somebody else's server.
  validatorUrl: null,
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // A credential stays in this tab, and is gone when it is closed.
  persistAuthorization: false,
});
