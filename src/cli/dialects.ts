import { Command } from 'commander'
import { dialects } from '../dialects/translate.ts'
import { rows } from '../providers/rows.ts'
import { examples } from './examples.ts'
import { paintFor } from './paint.ts'
import { table } from './table.ts'
import { say, sayJson, type Terminal } from './terminal.ts'

export function dialectsCommand(terminal: Terminal): Command {
  return examples(
    new Command('dialects')
      .description('Lists the wire formats: where their requests go, who speaks them, and their rules.')
      .option('--json', 'as JSON')
      .action(({ json }: { json?: boolean }) => listDialects(terminal, json === true)),
    [
      ['A table', 'interlingua dialects'],
      ['For a program', 'interlingua dialects --json'],
    ],
  )
}

async function listDialects(terminal: Terminal, json: boolean): Promise<void> {
  const list = Object.values(dialects).map((dialect) => ({
    name: dialect.name,
    path: dialect.endpoint({ model: 'MODEL', messages: [] }).path,
    providers: Object.entries(rows).flatMap(([name, row]) => (row.dialect === dialect.name ? name : [])),
    rules: dialect.rules.map(({ id, severity, summary }) => ({ id, severity, summary })),
  }))
  if (json) return sayJson(terminal, list)
  const paint = paintFor(terminal, terminal.stdout)
  const lines = table([
    ['dialect', 'requests go to', 'spoken by'].map((title) => paint('bold', title)),
    ...list.map(({ name, path, providers }) => [paint('cyan', name), path, providers.join(', ')]),
  ])
  for (const line of lines) await say(terminal, line)
}
