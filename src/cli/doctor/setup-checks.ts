import { createRequire } from 'node:module'
import { InterlinguaError } from '../../errors.ts'
import { type ProviderName, providerTable } from '../../providers/provider-table.ts'
import { providers } from '../../providers/index.ts'
import { formatReason } from '../error-output.ts'
import { listProviderStatuses } from '../providers-command.ts'
import { iterateSessions } from '../store/sessions.ts'
import { checkCreatable, openExistingStore, withStore } from '../store/open-store.ts'
import { type Terminal, readPackageVersion } from '../command-io.ts'

/** One thing that was looked at. `off`: not set up, and nothing is wrong with that. */
export interface SetupCheck {
  readonly name: string
  readonly state: 'ok' | 'off' | 'broken'
  readonly detail: string
  /** What to do next, where there is something to do. */
  readonly nextStep?: string
}

/** The oldest Node that we run on. */
const MIN_NODE_VERSION = [20, 19]

/** The program itself, and the Node that runs it. */
export function checkRuntime(): readonly SetupCheck[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const recent =
    major > (MIN_NODE_VERSION[0] ?? 0) ||
    (major === MIN_NODE_VERSION[0] && minor >= (MIN_NODE_VERSION[1] ?? 0))
  return [
    { name: 'interlingua', state: 'ok', detail: readPackageVersion() },
    {
      name: 'Node',
      state: recent ? 'ok' : 'broken',
      detail: process.versions.node,
      ...(!recent && { nextStep: `Install Node ${MIN_NODE_VERSION.join('.')} or newer.` }),
    },
  ]
}

/** Packages that are only needed for some things. */
const OPTIONAL_PACKAGES: readonly (readonly [name: string, module: string, purpose: string])[] = [
  ['MCP', '@modelcontextprotocol/sdk/client/index.js', 'tools from MCP servers'],
  ['PostgreSQL', 'pg', 'conversations in PostgreSQL'],
]

/** Packages that may be there or not. */
export function checkPackages(): readonly SetupCheck[] {
  const { resolve } = createRequire(import.meta.url)
  return OPTIONAL_PACKAGES.map(([name, module, purpose]) => {
    try {
      resolve(module)
      return { name, state: 'ok', detail: purpose }
    } catch {
      const [scope = '', rest = ''] = module.split('/')
      const install = scope.startsWith('@') ? `${scope}/${rest}` : scope
      return { name, state: 'off', detail: `${purpose}: npm install ${install}` }
    }
  })
}

/** Where conversations are kept, and whether that can be read. */
export async function checkStore(path: string | undefined, terminal: Terminal): Promise<SetupCheck> {
  try {
    return await withStore(openExistingStore(path, terminal), async ({ storage, path: file }) => {
      let count = 0
      for await (const _session of iterateSessions(storage)) count++
      if (count === 0) await checkCreatable(file)
      return { name: 'store', state: 'ok', detail: `${count} conversations in ${file}` }
    })
  } catch (error) {
    const next = error instanceof InterlinguaError ? error.hint : undefined
    return {
      name: 'store',
      state: 'broken',
      detail: formatReason(error),
      ...(next !== undefined && { nextStep: next }),
    }
  }
}

/** How long a provider may take to say that it is there, in milliseconds. */
const PROVIDER_TIMEOUT_MS = 8000

/** Every provider: whether it is set up, and whether it answers. */
export function checkProviders(terminal: Terminal, offline: boolean): Promise<readonly SetupCheck[]> {
  return Promise.all(
    listProviderStatuses(terminal).map(
      async ({ name, state, keyVariables, baseUrlVariable }): Promise<SetupCheck> => {
        const row = providerTable[name as ProviderName]
        const wanted = state === 'no address' ? baseUrlVariable : keyVariables.join(' or ')
        if (state !== 'ready') return { name, state: 'off', detail: `${state}: set ${wanted}` }
        const optional = row.isKeyOptional === true
        if (offline || row.listStyle === undefined)
          return optional
            ? { name, state: 'off', detail: 'needs no key; not asked' }
            : { name, state: 'ok', detail: 'a key is set; not asked' }
        return checkReachable(name as ProviderName, optional, terminal)
      },
    ),
  )
}

async function checkReachable(
  name: ProviderName,
  optional: boolean,
  terminal: Terminal,
): Promise<SetupCheck> {
  try {
    const models = await providers[name].listModels({
      retry: { maxAttempts: 1 },
      signal: AbortSignal.any([terminal.signal, AbortSignal.timeout(PROVIDER_TIMEOUT_MS)]),
    })
    return { name, state: 'ok', detail: `answers, ${models.length} models` }
  } catch (error) {
    const detail = formatReason(error)
    // One that needs no key is nothing that somebody has set up.
    if (optional) return { name, state: 'off', detail: `does not answer: ${detail}` }
    const next = error instanceof InterlinguaError ? error.hint : undefined
    return { name, state: 'broken', detail, ...(next !== undefined && { nextStep: next }) }
  }
}
