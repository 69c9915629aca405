import { createRequire } from 'node:module'
import { type ProviderName, providerTable } from '../../providers/provider-table.ts'
import { providers } from '../../providers/index.ts'
import { omitUndefined } from '../../wire/json.ts'
import { formatErrorMessage, getErrorHint } from '../error-output.ts'
import { listProviderStatuses, type ProviderStatus } from '../providers-command.ts'
import { toProviderOptions } from '../provider-options.ts'
import { iterateSessions } from '../store/find-sessions.ts'
import { checkStoreCreatable, openExistingStore, withStore } from '../store/open-store.ts'
import { type Terminal, readPackageVersion } from '../command-io.ts'

/** The result of one check. `not-configured` is not an error. */
export interface SetupCheckResult {
  readonly name: string
  readonly state: 'ok' | 'not-configured' | 'broken'
  readonly detail: string
  readonly nextStep?: string
}

const MIN_NODE_VERSION = [20, 19] as const

export function checkRuntime(): readonly SetupCheckResult[] {
  const detail = process.versions.node
  const [major = 0, minor = 0] = detail.split('.').map(Number)
  const [minMajor, minMinor] = MIN_NODE_VERSION
  const isRecent = major > minMajor || (major === minMajor && minor >= minMinor)
  const nextStep = `Install Node ${MIN_NODE_VERSION.join('.')} or newer.`
  return [
    { name: 'interlingua', state: 'ok', detail: readPackageVersion() },
    isRecent ? { name: 'Node', state: 'ok', detail } : { name: 'Node', state: 'broken', detail, nextStep },
  ]
}

const OPTIONAL_PACKAGES: readonly (readonly [name: string, module: string, purpose: string])[] = [
  ['MCP', '@modelcontextprotocol/sdk/client/index.js', 'tools from MCP servers'],
  ['PostgreSQL', 'pg', 'conversations in PostgreSQL'],
  ['Redis', 'redis', 'conversations in Redis'],
]

export function checkPackages(): readonly SetupCheckResult[] {
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
export async function checkStore(path: string | undefined, terminal: Terminal): Promise<SetupCheckResult> {
  try {
    return await withStore(openExistingStore(path, terminal), async ({ storage, path: file }) => {
      let count = 0
      for await (const _session of iterateSessions(storage)) count++
      if (count === 0) await checkStoreCreatable(file)
      return { name: 'store', state: 'ok', detail: `${count} conversations in ${file}` }
    })
  } catch (error) {
    return describeBroken('store', error)
  }
}

function describeBroken(name: string, error: unknown): SetupCheckResult {
  return {
    name,
    state: 'broken',
    detail: formatErrorMessage(error),
    ...omitUndefined({ nextStep: getErrorHint(error) }),
  }
}

const PROVIDER_TIMEOUT_MS = 8000

export interface ProviderCheckOptions {
  /** True to send nothing. */
  readonly offline: boolean
  /** The only provider to check; then it is an error if it is not configured. */
  readonly provider: ProviderName | undefined
  readonly baseUrl: string | undefined
}

/** Checks each provider: whether it is configured and, unless `offline`, whether it responds. */
export function checkProviders(
  terminal: Terminal,
  options: ProviderCheckOptions,
): Promise<readonly SetupCheckResult[]> {
  const { provider } = options
  const statuses = listProviderStatuses(terminal).filter(
    ({ name }) => provider === undefined || name === provider,
  )
  return Promise.all(statuses.map((status) => checkProvider(status, terminal, options)))
}

async function checkProvider(
  { name, state, keyVariables, baseUrlVariable }: ProviderStatus,
  terminal: Terminal,
  { offline, provider, baseUrl }: ProviderCheckOptions,
): Promise<SetupCheckResult> {
  const { isKeyOptional = false, listStyle } = providerTable[name]
  const isRequested = name === provider
  const variables = state === 'no base URL' ? baseUrlVariable : keyVariables.join(' or ')
  if (state !== 'ready' && baseUrl === undefined)
    return {
      name,
      state: isRequested ? 'broken' : 'not-configured',
      detail: `${state}: set ${variables}`,
    }
  if (offline || listStyle === undefined)
    return state !== 'ready' || isKeyOptional
      ? { name, state: 'not-configured', detail: 'needs no key; not contacted' }
      : { name, state: 'ok', detail: 'key is set; not contacted' }
  try {
    const models = await providers[name].listModels({
      ...toProviderOptions(name, baseUrl),
      retry: { maxAttempts: 1 },
      signal: AbortSignal.any([terminal.signal, AbortSignal.timeout(PROVIDER_TIMEOUT_MS)]),
    })
    return { name, state: 'ok', detail: `answers, ${models.length} models` }
  } catch (error) {
    if (!isKeyOptional || isRequested) return describeBroken(name, error)
    // A provider without a key may not be in use at all, so this is not an error.
    return { name, state: 'not-configured', detail: `does not respond: ${formatErrorMessage(error)}` }
  }
}
