import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Puts the page's own style into the HTML, which saves a round trip before the first paint on a slow phone. */
function inlineStyle(): Plugin {
  return {
    name: 'atalaya-inline-style',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const page of Object.values(bundle)) {
        if (page.type !== 'asset' || !page.fileName.endsWith('.html')) continue;
        page.source = String(page.source).replace(
          /<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g,
          (tag, file: string) => {
            const style = bundle[file];
            return style?.type === 'asset' ? `<style>${String(style.source).trim()}</style>` : tag;
          },
        );
      }
    },
  };
}

const backend = process.env.ATALAYA_DEV_SERVER ?? 'http://127.0.0.1:8080';

// The end client's pages: their own small bundle on preact, no staff code but the pointer (src/rtc/pointing).
// Written after the staff build into the same `dist`: `dist/external/index.html` and `dist/external-assets/*`.
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  publicDir: false,
  // Its package names the Node build first; tests would take that one.
  resolve: { alias: { 'tus-js-client': 'tus-js-client/lib.esm/browser/index.js' } },
  plugins: [inlineStyle()],
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    assetsDir: 'external-assets',
    target: 'es2020',
    sourcemap: false,
    modulePreload: { polyfill: false },
    // Two pages with an entry each: the upload page does not wait for the call's code, nor the call for its.
    rollupOptions: {
      input: ['./index.html', './files.html'].map((page) => fileURLToPath(new URL(page, import.meta.url))),
    },
  },
  server: {
    port: 5181,
    fs: { allow: ['..', '../../locales', '../../crates/content/src/legal'] },
    proxy: { '/api': backend, '/rtc': { target: backend, ws: true } },
  },
  test: {
    name: 'external',
    environment: 'happy-dom',
    dir: fileURLToPath(new URL('.', import.meta.url)),
    include: ['**/*.test.{ts,tsx}'],
    server: { deps: { inline: [/tus-js-client/] } },
  },
});
