import { Command } from 'commander'
import type { IntegrityIssue } from '../../stores/conversation-storage.ts'
import { CommandExit } from '../exit-codes.ts'
import { addCommandExamples } from '../command-examples.ts'
import { escapeControlCharacters } from '../terminal-text.ts'
import { printLines, printJson, type Terminal } from '../command-io.ts'
import { openExistingStore, STORE_OPTION, type StoreOptions, withStore } from './open-store.ts'
import { findSessionByIdPrefix } from './find-sessions.ts'

export function createVerifyStoreCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('verify')
      .summary('check stored conversations for damage')
      .description(
        'Recomputes every hash and checksum, and lists damaged messages. Exit code 5 if there are any.',
      )
      .argument('[id]', 'the id of one conversation; all of them if omitted')
      .option(...STORE_OPTION)
      .option('--json', 'print JSON')
      .action((id: string | undefined, options: StoreOptions) => runVerifyStore(terminal, options, id)),
    [['Check all conversations', 'interlingua store verify']],
  )
}

function runVerifyStore(terminal: Terminal, { store, json }: StoreOptions, id?: string): Promise<void> {
  return withStore(openExistingStore(store, terminal), async ({ storage, path }) => {
    const issues = await storage.verify(
      id === undefined ? undefined : (await findSessionByIdPrefix(storage, id)).id,
    )
    const none = [`No damage found in ${path}.`]
    if (json === true) await printJson(terminal, issues)
    else await printLines(terminal, issues.length === 0 ? none : issues.map(formatIntegrityIssue))
    if (issues.length > 0) throw new CommandExit('check-failed')
  })
}

export function formatIntegrityIssue({ session = '-', message = '-', kind, reason }: IntegrityIssue): string {
  return escapeControlCharacters(`${session}  ${message}  ${kind}: ${reason}`)
}
