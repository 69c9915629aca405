import { Command } from 'commander'
import { dialects } from '../dialects/dialects.ts'
import { providerTable } from '../providers/provider-table.ts'
import { addCommandExamples } from './command-examples.ts'
import { createColorizer, formatTable } from './terminal-text.ts'
import { printLines, printJson, type Terminal } from './command-io.ts'

export function createCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('dialects')
      .description(
        'Lists the dialects (wire formats): their request paths, the providers that use them, and with --json their validation rules.',
      )
      .option('--json', 'print JSON')
      .action(({ json }: { json?: boolean }) => runDialects(terminal, json === true)),
    [
      ['Print a table', 'interlingua dialects'],
      ['Print JSON', 'interlingua dialects --json'],
    ],
  )
}

async function runDialects(terminal: Terminal, json: boolean): Promise<void> {
  const list = Object.values(dialects).map((dialect) => ({
    name: dialect.name,
    path: dialect.endpoint({ model: 'MODEL', messages: [] }).path,
    providers: Object.entries(providerTable).flatMap(([name, row]) =>
      row.dialect === dialect.name ? name : [],
    ),
    rules: dialect.rules.map(({ id, severity, summary }) => ({ id, severity, summary })),
  }))
  if (json) return printJson(terminal, list)
  const paint = createColorizer(terminal, terminal.stdout)
  const lines = formatTable([
    ['dialect', 'request path', 'providers'].map((title) => paint('bold', title)),
    ...list.map(({ name, path, providers }) => [paint('cyan', name), path, providers.join(', ')]),
  ])
  await printLines(terminal, lines)
}
