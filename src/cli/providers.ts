import { Command } from 'commander'
import type { ProviderRow } from '../providers/row.ts'
import { rows } from '../providers/rows.ts'
import { examples } from './examples.ts'
import { paintFor } from './paint.ts'
import { table } from './table.ts'
import { say, sayJson, type Terminal } from './terminal.ts'

/** A provider as people need to know it; never its key. */
export interface ProviderFacts {
  readonly name: string
  readonly dialect: string
  readonly address: string
  /** The variables that may hold its key. */
  readonly key: readonly string[]
  /** The variable that holds its address, where there is one. */
  readonly addressVariable?: string
  readonly state: 'ready' | 'no key' | 'no address'
}

export function providersCommand(terminal: Terminal): Command {
  return examples(
    new Command('providers')
      .description(
        'Lists the providers: the format that each speaks, the variables that hold its key, and whether one is set. ' +
          'Nothing is sent; `interlingua doctor` asks whether they answer.',
      )
      .option('--json', 'as JSON')
      .action(({ json }: { json?: boolean }) => listProviders(terminal, json === true)),
    [
      ['A table', 'interlingua providers'],
      ['The names of those that are ready', `interlingua providers --json | grep '"ready"'`],
    ],
  )
}

/** What is known of every provider in this environment. */
export function providerFacts({ environment }: Terminal): readonly ProviderFacts[] {
  const isSet = (name: string | undefined): boolean => (environment[name ?? ''] ?? '').trim() !== ''
  return Object.entries(rows).map(([name, row]) => ({
    name,
    dialect: row.dialect,
    address: addressOf(row, environment),
    key: row.keyVariables,
    ...(row.baseUrlVariable !== undefined && { addressVariable: row.baseUrlVariable }),
    state: stateOf(row, isSet),
  }))
}

function addressOf(row: ProviderRow, environment: Terminal['environment']): string {
  const variable = `$${row.baseUrlVariable ?? ''}`
  const given = environment[row.baseUrlVariable ?? '']
  return given === undefined ? (row.baseUrl ?? variable) : withoutSecrets(given, variable)
}

/** An address that somebody has set may hold a name, a password or a token. */
function withoutSecrets(address: string, variable: string): string {
  if (!URL.canParse(address)) return variable
  const { origin, pathname } = new URL(address)
  return origin === 'null' ? variable : origin + pathname
}

function stateOf(row: ProviderRow, isSet: (name: string | undefined) => boolean): ProviderFacts['state'] {
  if (row.baseUrl === undefined && !isSet(row.baseUrlVariable)) return 'no address'
  return row.keyOptional === true || row.keyVariables.some(isSet) ? 'ready' : 'no key'
}

async function listProviders(terminal: Terminal, json: boolean): Promise<void> {
  const facts = providerFacts(terminal)
  if (json) return sayJson(terminal, facts)
  const paint = paintFor(terminal, terminal.stdout)
  const lines = table([
    ['provider', 'dialect', 'state', 'key'].map((title) => paint('bold', title)),
    ...facts.map(({ name, dialect, key, state }) => [
      paint('cyan', name),
      dialect,
      paint(state === 'ready' ? 'green' : 'dim', state),
      key.join(' or '),
    ]),
  ])
  for (const line of lines) await say(terminal, line)
}
