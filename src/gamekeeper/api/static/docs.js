"use strict";

// Swagger UI has a dark look, but leaves it to us to ask for it.
const dark = matchMedia("(prefers-color-scheme: dark)");
const dress = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", dress);
dress();

// The page: Authorize and an index first, the operations, and the prose folded away.
const Page = (system) => {
  const make = system.React.createElement;
  const Part = ({ name }) => make(system.getComponent(name, true));

  const open = (tag) => (event) => {
    event.preventDefault();
    system.layoutActions.show(["operations-tag", tag], true);
    document.getElementById(`operations-tag-${tag}`).scrollIntoView();
    history.replaceState(null, "", `#/${tag}`);
  };

  const group = (tag, name) => {
    const count = make("span", { className: "count" }, tag.get("operations").size);
    const link = { href: `#/${name}`, onClick: open(name) };
    return make("li", { key: name }, make("a", link, name, " ", count));
  };

  const find = (event) => {
    const phrase = event.target.value.trim();
    system.layoutActions.updateFilter(phrase || false);
    for (const name of system.specSelectors.taggedOperations().keySeq()) {
      system.layoutActions.show(["operations-tag", name], phrase !== "");
    }
  };

  const Layout = () => {
    const loaded = system.specSelectors.loadingStatus() === "success";
    if (!loaded) {
      return make("p", { className: "plain" }, "Loading…", make(Part, { name: "errors" }));
    }
    const info = system.specSelectors.info();
    const search = { type: "search", placeholder: "Find an operation", onChange: find };
    return make(
      "div",
      { className: "swagger-ui" },
      make(Part, { name: "SvgAssets" }),
      make(
        "header",
        { className: "top" },
        make("h1", null, info.get("title"), " ", make("small", null, info.get("version"))),
        make("p", null, info.get("summary")),
        make("div", { className: "keys" }, make(Part, { name: "AuthorizeBtnContainer" })),
      ),
      make(
        "nav",
        { className: "index", "aria-label": "Groups of operations" },
        make("ul", null, ...system.specSelectors.taggedOperations().map(group).valueSeq()),
        make("input", { ...search, "aria-label": search.placeholder }),
      ),
      make(
        "details",
        { className: "prose" },
        make("summary", null, "How to call it: signing in, requests, retries, lists, errors"),
        make(Part, { name: "InfoContainer" }),
      ),
      make(Part, { name: "errors" }),
      make("div", { className: "groups" }, make(Part, { name: "operations" })),
      make("div", { className: "groups" }, make(Part, { name: "Models" })),
    );
  };
  return { components: { Layout } };
};

// An operation is found by any part of its path, id or summary, not only by its group.
const Search = () => ({
  fn: {
    opsFilter: (groups, phrase) => {
      const wanted = phrase.toLowerCase();
      const named = (one) =>
        [one.get("path"), one.get("method"), one.getIn(["operation", "operationId"])]
          .concat(one.getIn(["operation", "summary"]))
          .some((text) => text.toLowerCase().includes(wanted));
      return groups
        .map((group) => group.update("operations", (operations) => operations.filter(named)))
        .filter((group) => group.get("operations").size > 0);
    },
  },
});

// Swagger UI normalizes the whole document whenever an operation is opened, which takes seconds
// with hundreds of operations. All references of our document point into itself and none is
// circular, so it is enough to follow those of the part that is shown.
const Resolver = () => {
  const at = (document, path) => path.reduce((part, name) => part?.[name], document);
  const resolved = (part, document) => {
    if (Array.isArray(part)) {
      return part.map((one) => resolved(one, document));
    }
    if (part === null || typeof part !== "object") {
      return part;
    }
    const { $ref, ...others } = part;
    if ($ref) {
      const path = $ref.slice("#/".length).split("/");
      return { ...resolved(at(document, path), document), ...others, title: path.at(-1) };
    }
    return Object.fromEntries(
      Object.entries(part).map(([name, one]) => [name, resolved(one, document)]),
    );
  };
  const resolveSubtree = async (document, path) => ({
    spec: resolved(at(document, path), document),
    errors: [],
  });
  return { fn: { resolveSubtree } };
};

SwaggerUIBundle({
  // Beside this script's folder, wherever a proxy has put it.
  url: new URL("../openapi.json", document.currentScript.src).href,
  dom_id: "#docs",
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [Page, Search, Resolver],
  layout: "Layout",
  // The badge would show the document to somebody else's server.
  validatorUrl: null,
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // A credential stays in this tab, and is gone when it is closed.
  persistAuthorization: false,
});
