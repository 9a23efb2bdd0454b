import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The end client's pages: their own small bundle on preact, no staff code.
// Written after the staff build into the same `dist`: `dist/external/index.html` and `dist/external-assets/*`.
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  publicDir: false,
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    assetsDir: 'external-assets',
    target: 'es2020',
    sourcemap: false,
    rollupOptions: { input: fileURLToPath(new URL('./index.html', import.meta.url)) },
  },
  server: { port: 5171 },
  test: {
    name: 'external',
    environment: 'happy-dom',
    include: ['external/**/*.test.{ts,tsx}'],
  },
});
