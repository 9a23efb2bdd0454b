import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Tests of pure functions: `.test.ts`, while those of components and hooks are `.test.tsx` (vite.config.ts).
const logic = {
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  test: { name: 'logic', environment: 'node', include: ['src/**/*.test.ts'] },
};

export default defineConfig({
  test: {
    // Vitest keeps one core of two free.
    maxWorkers: 2,
    projects: ['vite.config.ts', 'external/vite.config.ts', logic],
  },
});
