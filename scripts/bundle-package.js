// @ts-check
// Bundles the entries of the package: a program that imports one reads few files. `tsc` writes the declarations.
// Arguments: another folder than `dist`, and further files of `src` that become entries, without extension.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const [folder = 'dist', ...furtherEntries] = process.argv.slice(2)
const manifest = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))

/** The files of `exports` and `bin`, relative to `dist` and without extension. @type {string[]} */
const entries = [
  ...Object.values(manifest.exports).flatMap((entry) => entry.default ?? []),
  ...Object.values(manifest.bin),
]
  .map((file) => file.slice('./dist/'.length, -'.js'.length))
  .concat(furtherEntries)

/** Packages that programs install; the other imports become part of the package. */
const packages = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })

/**
 * Folders that become one chunk each. These folders do not import each other in circles, so neither do their chunks. A
 * dialect has its own: bundlers remove the chunks of dialects that a program does not use.
 */
const CHUNK_FOLDERS = /[\\/]src[\\/](wire|schema|models|(?:canonical|dialects)[\\/][^\\/]+)[\\/]/

/** Fails if an entry exports other names than its source, which `allow-extension` permits. @type {import('rolldown').Plugin} */
const checkEntryExports = {
  name: 'check-entry-exports',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || !file.isEntry || file.facadeModuleId === null) continue
      const names = this.getModuleInfo(file.facadeModuleId)?.exports ?? []
      if (file.exports.toSorted().join() !== names.toSorted().join())
        this.error(`${file.fileName} exports [${file.exports.join()}] instead of [${names.join()}]`)
    }
  },
}

await build({
  cwd: root,
  plugins: [checkEntryExports],
  preserveEntrySignatures: 'allow-extension',
  input: {
    ...Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
    // A thread starts with this file: it is beside the chunk that starts the thread.
    'chunks/thread-script': 'src/cli/convert/thread-script.ts',
  },
  external: (id) =>
    id.startsWith('node:') || packages.some((name) => id === name || id.startsWith(`${name}/`)),
  platform: 'neutral',
  output: {
    dir: folder,
    cleanDir: true,
    chunkFileNames: 'chunks/[name].js',
    // The declarations have the documentation. Bundlers need the annotations to remove unused code.
    comments: { jsdoc: false, legal: true, annotation: true },
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { debugName: 'folder', name: (id) => CHUNK_FOLDERS.exec(id)?.[1]?.replaceAll(/[\\/]/g, '-') ?? null },
      ],
    },
  },
})
