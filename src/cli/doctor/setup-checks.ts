import { createRequire } from 'node:module'
import { InterlinguaError } from '../../errors.ts'
import { type ProviderName, providerTable } from '../../providers/provider-table.ts'
import { providers } from '../../providers/index.ts'
import { formatReason } from '../error-output.ts'
import { listProviderStatuses } from '../providers-command.ts'
import { iterateSessions } from '../store/sessions.ts'
import { checkCreatable, openExistingStore, withStore } from '../store/open-store.ts'
import { type Terminal, readPackageVersion } from '../command-io.ts'

/** The result of one check. `not-configured` is not an error. */
export interface SetupCheck {
  readonly name: string
  readonly state: 'ok' | 'not-configured' | 'broken'
  readonly detail: string
  /** How to fix it. */
  readonly nextStep?: string
}

/** Oldest supported Node version: major, minor. */
const MIN_NODE_VERSION = [20, 19]

/** Checks the version of this package and of Node. */
export function checkRuntime(): readonly SetupCheck[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isRecent =
    major > (MIN_NODE_VERSION[0] ?? 0) ||
    (major === MIN_NODE_VERSION[0] && minor >= (MIN_NODE_VERSION[1] ?? 0))
  return [
    { name: 'interlingua', state: 'ok', detail: readPackageVersion() },
    {
      name: 'Node',
      state: isRecent ? 'ok' : 'broken',
      detail: process.versions.node,
      ...(!isRecent && { nextStep: `Install Node ${MIN_NODE_VERSION.join('.')} or newer.` }),
    },
  ]
}

/** Packages that only some features need. */
const OPTIONAL_PACKAGES: readonly (readonly [name: string, module: string, purpose: string])[] = [
  ['MCP', '@modelcontextprotocol/sdk/client/index.js', 'tools from MCP servers'],
  ['PostgreSQL', 'pg', 'conversations in PostgreSQL'],
]

/** Checks which optional packages are installed. */
export function checkPackages(): readonly SetupCheck[] {
  const { resolve } = createRequire(import.meta.url)
  return OPTIONAL_PACKAGES.map(([name, module, purpose]) => {
    try {
      resolve(module)
      return { name, state: 'ok', detail: purpose }
    } catch {
      const [scope = '', rest = ''] = module.split('/')
      const install = scope.startsWith('@') ? `${scope}/${rest}` : scope
      return { name, state: 'not-configured', detail: `${purpose}: npm install ${install}` }
    }
  })
}

/** Checks that the conversation store can be read, or created. */
export async function checkStore(path: string | undefined, terminal: Terminal): Promise<SetupCheck> {
  try {
    return await withStore(openExistingStore(path, terminal), async ({ storage, path: file }) => {
      let count = 0
      for await (const _session of iterateSessions(storage)) count++
      if (count === 0) await checkCreatable(file)
      return { name: 'store', state: 'ok', detail: `${count} conversations in ${file}` }
    })
  } catch (error) {
    const nextStep = error instanceof InterlinguaError ? error.hint : undefined
    return {
      name: 'store',
      state: 'broken',
      detail: formatReason(error),
      ...(nextStep !== undefined && { nextStep }),
    }
  }
}

const PROVIDER_TIMEOUT_MS = 8000

/** Checks each provider: whether it is configured and, unless `offline`, whether it responds. */
export function checkProviders(terminal: Terminal, offline: boolean): Promise<readonly SetupCheck[]> {
  return Promise.all(
    listProviderStatuses(terminal).map(
      async ({ name, state, keyVariables, baseUrlVariable }): Promise<SetupCheck> => {
        const row = providerTable[name as ProviderName]
        const variables = state === 'no base URL' ? baseUrlVariable : keyVariables.join(' or ')
        if (state !== 'ready') return { name, state: 'not-configured', detail: `${state}: set ${variables}` }
        const isKeyOptional = row.isKeyOptional === true
        if (offline || row.listStyle === undefined)
          return isKeyOptional
            ? { name, state: 'not-configured', detail: 'needs no key; not contacted' }
            : { name, state: 'ok', detail: 'key is set; not contacted' }
        return checkReachable(name as ProviderName, isKeyOptional, terminal)
      },
    ),
  )
}

async function checkReachable(
  name: ProviderName,
  isKeyOptional: boolean,
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
    // A provider without a key may not be in use at all, so this is not an error.
    if (isKeyOptional) return { name, state: 'not-configured', detail: `does not respond: ${detail}` }
    const nextStep = error instanceof InterlinguaError ? error.hint : undefined
    return { name, state: 'broken', detail, ...(nextStep !== undefined && { nextStep }) }
  }
}
