import { defineConfig } from 'vitest/config'

const at = (path: string): string => new URL(path, import.meta.url).pathname

export default defineConfig({
  resolve: {
    alias: [
      { find: /^interlingua$/, replacement: at('./src/index.ts') },
      { find: /^interlingua\/providers$/, replacement: at('./src/providers/index.ts') },
      { find: /^interlingua\/node$/, replacement: at('./src/node/index.ts') },
      { find: /^interlingua\/(stores(?:\/[a-z]+)?)$/, replacement: at('./src/$1/index.ts') },
      { find: /^interlingua\/(agent(?:\/mcp)?)$/, replacement: at('./src/$1/index.ts') },
      { find: /^interlingua\/(formats\/[a-z-]+)$/, replacement: at('./src/$1/index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/seed.ts'],
    globalSetup: ['test/stores/run-folder.ts'],
    // By default one core of two is left idle.
    maxWorkers: 2,
    // A law may run for minutes when SOAK asks for bigger rounds.
    testTimeout: process.env['SOAK'] ? 600_000 : 60_000,
  },
})
