import { Command } from 'commander'
import type { Session } from '../../stores/contract.ts'
import { examples } from '../examples.ts'
import { count } from '../input/options.ts'
import { paintFor } from '../paint.ts'
import { say, sayJson, tell, type Terminal } from '../terminal.ts'
import { openExisting, STORE_OPTION, withStore } from './open.ts'
import { allSessions, sessionLines } from './sessions.ts'

interface ListOptions {
  readonly store?: string
  readonly search?: string
  readonly limit: number
  readonly json?: boolean
}

export function listCommand(terminal: Terminal): Command {
  return examples(
    new Command('list')
      .summary('list conversations')
      .description('Lists conversations, the most recent first.')
      .option('--search <text>', 'only those whose title or id contains it')
      .option('--limit <number>', 'how many at most', count, 50)
      .option(...STORE_OPTION)
      .option('--json', 'as JSON')
      .action((options: ListOptions) => list(options, terminal)),
    [
      ['The last ones', 'interlingua store list --limit 10'],
      ['About the weather', 'interlingua store list --search weather --json'],
    ],
  )
}

function list({ store, search, limit, json }: ListOptions, terminal: Terminal): Promise<void> {
  return withStore(openExisting(store, terminal), async ({ storage, path }) => {
    const found: Session[] = []
    for await (const session of allSessions(storage, search === undefined ? {} : { search })) {
      if (found.length >= limit) break
      found.push(session)
    }
    if (json === true) return sayJson(terminal, found)
    if (found.length === 0) return tell(terminal, `No conversations in ${path}. interlingua chat begins one.`)
    for (const line of sessionLines(found, paintFor(terminal, terminal.stdout))) await say(terminal, line)
  })
}
