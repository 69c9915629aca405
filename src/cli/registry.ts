import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Option } from 'commander'
import { dialects as builtInDialects } from '../dialects/dialects.ts'
import { detect as detectIn, type Detection } from '../dialects/engine/detect.ts'
import { isDialect } from '../dialects/engine/define-dialect.ts'
import type { Dialect, DialectName } from '../dialects/engine/dialect.ts'
import { recognizeInput } from '../dialects/engine/input-recognizers.ts'
import { InterlinguaError } from '../errors.ts'
import type { Registry } from '../providers/registry.ts'
import { describeType, isObject, type JsonObject } from '../wire/json.ts'

/**
 * The dialects of the command line: the built-in ones, and those of `--registry`. A process has one command line, so this
 * object is shared; its type lists the names that are always present.
 */
export const knownDialects: { readonly [name in DialectName]: Dialect } = { ...builtInDialects }

interface LoadedRegistry {
  readonly url: string
  readonly registry: Registry
}

let loaded: LoadedRegistry | undefined

/** Returns the registry of the command line, if it has one. */
export function getRegistry(): Registry | undefined {
  return loaded?.registry
}

/** Returns the URL of the registry module, for threads. */
export function getRegistryUrl(): string | undefined {
  return loaded?.url
}

/** Returns the names of the dialects of `--registry`. */
export function listOwnDialectNames(): readonly string[] {
  return Object.keys(knownDialects).filter((name) => !Object.hasOwn(builtInDialects, name))
}

/** Detects the format of an input among the built-in dialects and those of `--registry`. */
export function detectInput(input: unknown): readonly Detection[] {
  return detectIn(input, loaded === undefined ? {} : { registry: loaded.registry })
}

/** Returns true if a dialect of `--registry` recognizes a value as a body of the kind, or has no way to recognize it. */
export function isOwnBody(name: string, kind: string, value: unknown): boolean {
  const dialect: unknown = Reflect.get(knownDialects, name)
  if (!isDialect(dialect) || !isObject(value)) return false
  const recognized = recognizeInput(dialect, value as JsonObject)
  return recognized?.kind === kind
}

/** The option of commands that know dialects and providers of the user. */
export function createRegistryOption(): Option {
  return new Option(
    '--registry <file>',
    'a module that exports a registry with dialects and providers of your own',
  )
}

/** Loads the registry that the words of a command line name, and forgets the one of the command line before. */
export async function loadRegistryOption(words: readonly string[], folder: string): Promise<void> {
  const at = words.findIndex((word) => word === '--registry' || word.startsWith('--registry='))
  const word = words[at] ?? ''
  const file = word === '--registry' ? words[at + 1] : word.slice('--registry='.length)
  await loadRegistry(
    file === undefined || file === '' ? undefined : pathToFileURL(resolve(folder, file)).href,
  )
}

/** Loads the registry module of a URL; without one, only the built-in dialects are known. */
export async function loadRegistry(url: string | undefined): Promise<void> {
  for (const name of listOwnDialectNames()) Reflect.deleteProperty(knownDialects, name)
  Object.assign(knownDialects, builtInDialects)
  loaded = url === undefined ? undefined : { url, registry: await importRegistry(url) }
  Object.assign(knownDialects, loaded?.registry.dialects)
}

async function importRegistry(url: string): Promise<Registry> {
  const exported = await importModule(url)
  const found: unknown = exported['registry'] ?? exported['default']
  const hasTables = isObject(found) && isObject(found['dialects']) && isObject(found['providers'])
  if (hasTables && Object.values(found['dialects'] as object).every(isDialect))
    return found as unknown as Registry
  throw new InterlinguaError('invalid-value', 'The module of --registry exports no registry', {
    found: describeType(found),
    expected: 'an export `registry`, the result of `createRegistry`',
    hint: 'Add `export const registry = createRegistry({ … })`. The module must import the installation of interlingua that runs this command.',
  })
}

async function importModule(url: string): Promise<{ readonly [name: string]: unknown }> {
  try {
    return (await import(url)) as { readonly [name: string]: unknown }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
    throw new InterlinguaError('invalid-value', `The module of --registry cannot be loaded: ${reason}`, {
      found: url,
      expected: 'a JavaScript module',
      hint: 'Check the path, and that the module runs on its own: `node <file>`.',
      cause,
    })
  }
}
