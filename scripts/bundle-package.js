// @ts-check
// Bundles the entries of the package: a program that imports one reads few files. `tsc` writes the declarations.
// Arguments: another folder than `dist`, and further files of `src` that become entries, without extension.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
 * Folders whose modules become one chunk: few files are faster to import than many. The folders do not import each other
 * in circles, so neither do their chunks. Each dialect has a chunk of its own: bundlers remove the dialects that a
 * program does not use.
 */
const CHUNK_FOLDERS = /[\\/]src[\\/](wire|canonical|models|schema|dialects[\\/][^\\/]+)[\\/]/

/** The chunks of the modules that several dialects import. Stores, for example, need only the last one. */
const CORE_CHUNKS = /** @type {const} */ ([
  ['dialects-core', /[\\/]src[\\/]dialects[\\/]/],
  ['schema-core', /[\\/]src[\\/]schema[\\/]|[\\/]json-schema[\\/]/],
  ['core', /./],
])

/** @type {ReadonlySet<string> | undefined} */
let core

/**
 * Returns the modules that several dialects import. All that such a module imports is one of them, so the chunks of these
 * modules import no other chunk.
 * @param {import('rolldown').ChunkingContext} context
 */
function findCore(context) {
  const isDialect = /^dialects\/(?!kit\/|testing\/)[^/]+\/index$/
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const entry of entries.filter((file) => isDialect.test(file))) {
    const reached = new Set([join(root, `src/${entry}.ts`)])
    // The loop includes what is added meanwhile.
    for (const id of reached)
      for (const imported of context.getModuleInfo(id)?.importedIds ?? []) reached.add(imported)
    for (const id of reached) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return new Set([...counts.keys()].filter((id) => (counts.get(id) ?? 0) > 1))
}

/**
 * Returns the chunk of a module; null if the bundler selects it.
 * @param {string} id
 * @param {import('rolldown').ChunkingContext} context
 */
function nameChunk(id, context) {
  core ??= findCore(context)
  if (core.has(id)) return CORE_CHUNKS.find(([, pattern]) => pattern.test(id))?.[0] ?? null
  return CHUNK_FOLDERS.exec(id)?.[1]?.replaceAll(/[\\/]/g, '-') ?? null
}

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
      groups: [{ debugName: 'folder', name: nameChunk }],
    },
  },
})
