import { Command } from 'commander'
import type { ProviderRow } from '../providers/provider-row.ts'
import { type ProviderName, providerTable } from '../providers/provider-table.ts'
import { omitUndefined } from '../wire/json.ts'
import { addCommandExamples } from './command-examples.ts'
import { createColorizer, formatTable } from './terminal-text.ts'
import { printLines, printJson, type Terminal } from './command-io.ts'
import { tryParseUrl } from '../wire/urls.ts'

/** The public facts about a provider; never its key. */
export interface ProviderStatus {
  readonly name: ProviderName
  readonly dialect: string
  readonly baseUrl: string
  readonly keyVariables: readonly string[]
  readonly baseUrlVariable?: string
  readonly state: 'ready' | 'no key' | 'no base URL'
}

export function createCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('providers')
      .description(
        'Lists the providers: the dialect of each, the environment variables for its API key, and whether one is set. ' +
          'Sends nothing; run `interlingua doctor` to test whether they respond.',
      )
      .option('--json', 'print JSON')
      .action(({ json }: { json?: boolean }) => runProviders(terminal, json === true)),
    [
      ['Print a table', 'interlingua providers'],
      ['Only those that are ready', `interlingua providers --json | grep '"ready"'`],
    ],
  )
}

/** Returns the status of every provider in the current environment. */
export function listProviderStatuses({ environment }: Terminal): readonly ProviderStatus[] {
  const entries = Object.entries(providerTable) as [ProviderName, ProviderRow][]
  return entries.map(([name, row]) => ({
    name,
    dialect: row.dialect,
    baseUrl: describeBaseUrl(row, environment),
    keyVariables: row.keyVariables,
    ...omitUndefined({ baseUrlVariable: row.baseUrlVariable }),
    state: getProviderState(row, environment),
  }))
}

function describeBaseUrl(row: ProviderRow, environment: Terminal['environment']): string {
  const variable = `$${row.baseUrlVariable ?? ''}`
  const configured = environment[row.baseUrlVariable ?? '']
  return configured === undefined ? (row.baseUrl ?? variable) : removeSecrets(configured, variable)
}

/** A base URL from the environment may contain a user name, a password or a token. */
function removeSecrets(url: string, variable: string): string {
  const { origin, pathname } = tryParseUrl(url) ?? { origin: 'null', pathname: '' }
  return origin === 'null' ? variable : origin + pathname
}

function getProviderState(row: ProviderRow, environment: Terminal['environment']): ProviderStatus['state'] {
  const isSet = (name = ''): boolean => (environment[name] ?? '').trim() !== ''
  if (row.baseUrl === undefined && !isSet(row.baseUrlVariable)) return 'no base URL'
  return row.isKeyOptional === true || row.keyVariables.some((name) => isSet(name)) ? 'ready' : 'no key'
}

async function runProviders(terminal: Terminal, json: boolean): Promise<void> {
  const statuses = listProviderStatuses(terminal)
  if (json) return printJson(terminal, statuses)
  const paint = createColorizer(terminal, terminal.stdout)
  const lines = formatTable([
    ['provider', 'dialect', 'state', 'key'].map((title) => paint('bold', title)),
    ...statuses.map(({ name, dialect, keyVariables, state }) => [
      paint('cyan', name),
      dialect,
      paint(state === 'ready' ? 'green' : 'dim', state),
      keyVariables.join(' or '),
    ]),
  ])
  await printLines(terminal, lines)
}
