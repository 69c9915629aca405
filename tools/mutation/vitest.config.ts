import { defineConfig } from 'vitest/config'

const at = (path: string): string => new URL(`../../${path}`, import.meta.url).pathname

// Patterns of test files, with commas between them.
const { MUTATION_TESTS: tests = 'test/wire/**/*.test.ts' } = process.env

// The tests of one layer, without the projects of `vitest.config.ts`.
export default defineConfig({
  resolve: {
    alias: [
      { find: /^interlingua$/, replacement: at('src/index.ts') },
      { find: /^interlingua\/(parse|schema|content)$/, replacement: at('src/entries/$1.ts') },
      { find: /^interlingua\/([a-z/-]+)$/, replacement: at('src/$1/index.ts') },
    ],
  },
  test: {
    root: at('.'),
    include: tests.split(','),
    // Instrumented code takes minutes for the streams of hostile servers.
    exclude: ['**/*.isolated.test.ts', '**/hostile-streams.test.ts'],
    isolate: false,
    testTimeout: 180_000,
    setupFiles: ['test/fixed-seed.ts'],
    globalSetup: ['test/stores/run-folder.ts'],
    maxWorkers: 1,
  },
})
