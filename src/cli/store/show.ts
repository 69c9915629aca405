import { Command } from 'commander'
import { toJson } from '../../canonical/stored/stored.ts'
import { examples } from '../examples.ts'
import { messageLines } from '../inspect/show.ts'
import { paintFor, printable } from '../paint.ts'
import { say, sayJson, type Terminal } from '../terminal.ts'
import { openExisting, STORE_OPTION, withStore } from './open.ts'
import { findSession } from './sessions.ts'

interface ShowOptions {
  readonly store?: string
  readonly json?: boolean
}

export function showCommand(terminal: Terminal): Command {
  return examples(
    new Command('show')
      .summary('show a conversation')
      .description('Shows the current line of a conversation, and where it has branches.')
      .argument('<id>', 'its id, or the beginning of it')
      .option(...STORE_OPTION)
      .option('--json', 'as JSON')
      .action((id: string, options: ShowOptions) => show(id, options, terminal)),
    [['A conversation', 'interlingua store show session_example']],
  )
}

function show(id: string, { store, json }: ShowOptions, terminal: Terminal): Promise<void> {
  return withStore(openExisting(store, terminal), async ({ storage }) => {
    const session = await findSession(storage, id)
    const messages = await storage.path(session.id)
    const branches = await storage.branches(session.id)
    if (json === true) return sayJson(terminal, { session, branches, ...toJson(messages) })
    const paint = paintFor(terminal, terminal.stdout)
    await say(terminal, `${paint('bold', printable(session.title))} ${paint('dim', printable(session.id))}`)
    for (const [index, message] of [...messages].entries())
      for (const line of messageLines(message, index + 1, paint)) await say(terminal, line)
    if (branches.length > 1) await say(terminal, `${branches.length} branches`)
  })
}
