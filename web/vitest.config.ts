import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { projects: ['vite.config.ts', 'external/vite.config.ts'] } });
