import { defineConfig } from 'vitest/config'
import { StuckFilesReporter } from './test/stuck-files-reporter.js'

// `npm test` counts the results in this file.
const resultsFile = process.env['TEST_RESULTS_FILE']

const GROWTH = 'test/growth/*.test.ts'
/**
 * With the young generation of 16 MB, objects that are in use at the end of one run are copied during that run: the same work takes
 * up to twice as long for each object from the size on at which they no longer fit. Growth of the collector is not growth of the code.
 */
const LARGE_YOUNG_GENERATION = ['--min-semi-space-size=256', '--max-semi-space-size=256']
/** Tests that replace modules, or collect garbage often, which takes longer in the large heap of other files. */
const ISOLATED = 'test/**/*.isolated.test.ts'

// Projects inherit the number of workers from this file, so that Vitest would ignore the option of the command line.
const [, workers = '3'] = /--maxWorkers[= ](\d+)(?: |$)/.exec(process.argv.join(' ')) ?? []

const at = (path: string): string => new URL(path, import.meta.url).pathname

export default defineConfig({
  resolve: {
    alias: [
      { find: /^interlingua$/, replacement: at('./src/index.ts') },
      { find: /^interlingua\/(parse|schema|content)$/, replacement: at('./src/entries/$1.ts') },
      { find: /^interlingua\/([a-z/-]+)$/, replacement: at('./src/$1/index.ts') },
    ],
  },
  test: {
    projects: [
      { extends: true, test: { name: 'tests', include: ['test/**/*.test.ts'], exclude: [GROWTH, ISOLATED] } },
      { extends: true, test: { name: 'isolated', include: [ISOLATED], isolate: true } },
      // Measures processor time, which other tests at the same time would distort.
      {
        extends: true,
        test: {
          name: 'growth',
          include: [GROWTH],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          execArgv: LARGE_YOUNG_GENERATION,
        },
      },
    ],
    setupFiles: ['test/fixed-seed.ts'],
    globalSetup: ['test/stores/run-folder.ts'],
    reporters: [
      'default',
      new StuckFilesReporter(),
      ...(resultsFile ? ([['json', { outputFile: resultsFile }]] as const) : []),
    ],
    // No test changes what it imports, so the files share it: reading it anew for each takes longer than the tests.
    isolate: false,
    // The projects and the next run share the transformed modules.
    experimental: { fsModuleCache: true },
    // By default one more than the cores of a small machine: some tests wait for the disk or for other processes.
    maxWorkers: Number(workers),
    // A law may run for an hour on a busy machine when SOAK asks for bigger rounds.
    testTimeout: process.env['SOAK'] ? 3_600_000 : 180_000,
    // Some begin with a server or a build, and the machine may be busy.
    hookTimeout: 400_000,
    // The default of one second is too short for a busy machine.
    expect: { poll: { timeout: 60_000 } },
  },
})
