import { createRequire } from 'node:module'
import { InterlinguaError } from '../../errors.ts'
import { type ProviderName, rows } from '../../providers/rows.ts'
import { providers } from '../../providers/index.ts'
import { reasonOf } from '../failure.ts'
import { providerFacts } from '../providers.ts'
import { allSessions } from '../store/sessions.ts'
import { checkRoom, openExisting, withStore } from '../store/open.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'

/** One thing that was looked at. `off`: not set up, and nothing is wrong with that. */
export interface Check {
  readonly name: string
  readonly state: 'ok' | 'off' | 'broken'
  readonly detail: string
  /** What to do next, where there is something to do. */
  readonly next?: string
}

/** The oldest Node that we run on. */
const OLDEST = [20, 19]

/** The program itself, and the Node that runs it. */
export function runtimeChecks(): readonly Check[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const recent = major > (OLDEST[0] ?? 0) || (major === OLDEST[0] && minor >= (OLDEST[1] ?? 0))
  return [
    { name: 'interlingua', state: 'ok', detail: version() },
    {
      name: 'Node',
      state: recent ? 'ok' : 'broken',
      detail: process.versions.node,
      ...(!recent && { next: `Install Node ${OLDEST.join('.')} or newer.` }),
    },
  ]
}

/** Packages that are only needed for some things. */
const OPTIONAL: readonly (readonly [name: string, module: string, purpose: string])[] = [
  ['MCP', '@modelcontextprotocol/sdk/client/index.js', 'tools from MCP servers'],
  ['PostgreSQL', 'pg', 'conversations in PostgreSQL'],
]

/** Packages that may be there or not. */
export function packageChecks(): readonly Check[] {
  const { resolve } = createRequire(import.meta.url)
  return OPTIONAL.map(([name, module, purpose]) => {
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
export async function storeCheck(path: string | undefined, terminal: Terminal): Promise<Check> {
  try {
    return await withStore(openExisting(path, terminal), async ({ storage, path: file }) => {
      let count = 0
      for await (const _session of allSessions(storage)) count++
      if (count === 0) await checkRoom(file)
      return { name: 'store', state: 'ok', detail: `${count} conversations in ${file}` }
    })
  } catch (error) {
    const next = error instanceof InterlinguaError ? error.hint : undefined
    return { name: 'store', state: 'broken', detail: reasonOf(error), ...(next !== undefined && { next }) }
  }
}

/** How long a provider may take to say that it is there, in milliseconds. */
const PATIENCE = 8000

/** Every provider: whether it is set up, and whether it answers. */
export function providerChecks(terminal: Terminal, offline: boolean): Promise<readonly Check[]> {
  return Promise.all(
    providerFacts(terminal).map(async ({ name, state, key, addressVariable }): Promise<Check> => {
      const row = rows[name as ProviderName]
      const wanted = state === 'no address' ? addressVariable : key.join(' or ')
      if (state !== 'ready') return { name, state: 'off', detail: `${state}: set ${wanted}` }
      const optional = row.keyOptional === true
      if (offline || row.list === undefined)
        return optional
          ? { name, state: 'off', detail: 'needs no key; not asked' }
          : { name, state: 'ok', detail: 'a key is set; not asked' }
      return reach(name as ProviderName, optional, terminal)
    }),
  )
}

async function reach(name: ProviderName, optional: boolean, terminal: Terminal): Promise<Check> {
  try {
    const models = await providers[name].listModels({
      retry: { attempts: 1 },
      signal: AbortSignal.any([terminal.signal, AbortSignal.timeout(PATIENCE)]),
    })
    return { name, state: 'ok', detail: `answers, ${models.length} models` }
  } catch (error) {
    const detail = reasonOf(error)
    // One that needs no key is nothing that somebody has set up.
    if (optional) return { name, state: 'off', detail: `does not answer: ${detail}` }
    const next = error instanceof InterlinguaError ? error.hint : undefined
    return { name, state: 'broken', detail, ...(next !== undefined && { next }) }
  }
}
