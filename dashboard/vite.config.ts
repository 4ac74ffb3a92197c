import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: { conditions: ["source", "browser", "module", "import", "default"] },
  build: {
    target: "es2024",
    manifest: "manifest.json",
    emptyOutDir: true,
    // Small files as data: URLs, and the polyfill as an inline script, would need a weaker Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
  },
});
