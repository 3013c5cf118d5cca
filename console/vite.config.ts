import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const BUILT = new URL("../src/gamekeeper/api/static/console/", import.meta.url).pathname;
const MODULES = new URL("../node_modules/", import.meta.url).pathname;
const SOURCE = new URL("./src", import.meta.url).pathname;

/** Compressed once here, so that the server never has to. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    closeBundle() {
      for (const name of readdirSync(`${BUILT}assets`)) {
        if (!/\.(js|css|svg)$/.test(name)) continue;
        const content = readFileSync(`${BUILT}assets/${name}`);
        writeFileSync(`${BUILT}assets/${name}.br`, brotliCompressSync(content));
        writeFileSync(`${BUILT}assets/${name}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

/** The licence of the font, which must come with every copy of it. */
function fontLicense(): Plugin {
  return {
    name: "font-license",
    apply: "build",
    generateBundle() {
      const source = readFileSync(`${MODULES}@fontsource-variable/inter/LICENSE`, "utf8");
      this.emitFile({ type: "asset", fileName: "licenses/inter.txt", source });
    },
  };
}

// Addresses are relative to <base>, which the server writes: it may be behind a path.
export default defineConfig({
  base: "./",
  plugins: [react(), compressed(), fontLicense()],
  resolve: { alias: { "~": SOURCE }, conditions: ["source", "module", "browser"] },
  build: {
    outDir: BUILT,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // Browsers that know light-dark(), which Mantine's colour scheme sets; lowered, it would
    // look for a scheme that only our own style sheets could declare.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
    manifest: "manifest.json",
  },
});
