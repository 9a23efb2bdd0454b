import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// The staff app. The end client's pages are another bundle: see external/vite.config.ts.
// `ATALAYA_DEV_SERVER` names the Rust server that `vite` (npm run dev) forwards calls to.
const backend = process.env.ATALAYA_DEV_SERVER ?? 'http://127.0.0.1:8080';
const forwarded = [
  '/api/',
  '/platform-language',
  '/available-languages',
  '/phone-prefixes',
  '/uploads',
  '/uploads-documents',
  '/c/',
  '/ext-api/',
];

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    rollupOptions: { input: fileURLToPath(new URL('./index.html', import.meta.url)) },
  },
  server: {
    port: 5170,
    fs: { allow: ['..'] },
    proxy: {
      ...Object.fromEntries(forwarded.map((path) => [path, { target: backend, changeOrigin: false }])),
      '/rtc': { target: backend, ws: true },
      '/socket.io': { target: backend, ws: true },
    },
  },
  test: {
    name: 'staff',
    environment: 'happy-dom',
    testTimeout: 60_000,
    setupFiles: ['src/test-setup.ts'],
    include: ['src/**/*.test.tsx'],
  },
});
