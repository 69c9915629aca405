import { Command } from 'commander'
import type { ProviderRow } from '../providers/provider-row.ts'
import { providerTable } from '../providers/provider-table.ts'
import { addExamples } from './command-examples.ts'
import { createColorizer, formatTable } from './terminal-text.ts'
import { printLine, printJson, type Terminal } from './command-io.ts'

/** A provider as people need to know it; never its key. */
export interface ProviderStatus {
  readonly name: string
  readonly dialect: string
  readonly baseUrl: string
  /** The variables that may hold its key. */
  readonly keyVariables: readonly string[]
  /** The variable that holds its address, where there is one. */
  readonly baseUrlVariable?: string
  readonly state: 'ready' | 'no key' | 'no address'
}

export function createProvidersCommand(terminal: Terminal): Command {
  return addExamples(
    new Command('providers')
      .description(
        'Lists the providers: the format that each speaks, the variables that hold its key, and whether one is set. ' +
          'Nothing is sent; `interlingua doctor` asks whether they answer.',
      )
      .option('--json', 'as JSON')
      .action(({ json }: { json?: boolean }) => runProviders(terminal, json === true)),
    [
      ['A table', 'interlingua providers'],
      ['The names of those that are ready', `interlingua providers --json | grep '"ready"'`],
    ],
  )
}

/** What is known of every provider in this environment. */
export function listProviderStatuses({ environment }: Terminal): readonly ProviderStatus[] {
  const isSet = (name: string | undefined): boolean => (environment[name ?? ''] ?? '').trim() !== ''
  return Object.entries(providerTable).map(([name, row]) => ({
    name,
    dialect: row.dialect,
    baseUrl: describeBaseUrl(row, environment),
    keyVariables: row.keyVariables,
    ...(row.baseUrlVariable !== undefined && { baseUrlVariable: row.baseUrlVariable }),
    state: getProviderState(row, isSet),
  }))
}

function describeBaseUrl(row: ProviderRow, environment: Terminal['environment']): string {
  const variable = `$${row.baseUrlVariable ?? ''}`
  const given = environment[row.baseUrlVariable ?? '']
  return given === undefined ? (row.baseUrl ?? variable) : removeSecrets(given, variable)
}

/** An address that somebody has set may hold a name, a password or a token. */
function removeSecrets(address: string, variable: string): string {
  if (!URL.canParse(address)) return variable
  const { origin, pathname } = new URL(address)
  return origin === 'null' ? variable : origin + pathname
}

function getProviderState(
  row: ProviderRow,
  isSet: (name: string | undefined) => boolean,
): ProviderStatus['state'] {
  if (row.baseUrl === undefined && !isSet(row.baseUrlVariable)) return 'no address'
  return row.isKeyOptional === true || row.keyVariables.some(isSet) ? 'ready' : 'no key'
}

async function runProviders(terminal: Terminal, json: boolean): Promise<void> {
  const facts = listProviderStatuses(terminal)
  if (json) return printJson(terminal, facts)
  const paint = createColorizer(terminal, terminal.stdout)
  const lines = formatTable([
    ['provider', 'dialect', 'state', 'key'].map((title) => paint('bold', title)),
    ...facts.map(({ name, dialect, keyVariables, state }) => [
      paint('cyan', name),
      dialect,
      paint(state === 'ready' ? 'green' : 'dim', state),
      keyVariables.join(' or '),
    ]),
  ])
  for (const line of lines) await printLine(terminal, line)
}
