import { Command } from 'commander'
import type { IntegrityIssue, Session } from '../../stores/conversation-storage.ts'
import { CommandExit } from '../exit-codes.ts'
import { addCommandExamples } from '../command-examples.ts'
import { parseNonNegative } from '../input/format-options.ts'
import { createColorizer, escapeControlCharacters } from '../terminal-text.ts'
import { printLines, printJson, printNotice, type Terminal } from '../command-io.ts'
import { openExistingStore, STORE_OPTION, type StoreOptions, withStore } from './open-store.ts'
import { iterateSessions, findSessionByIdPrefix, formatSessions } from './find-sessions.ts'

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

interface PruneOptions extends StoreOptions {
  readonly days: number
  readonly yes?: boolean
}

const DAY_MS = 24 * 60 * 60 * 1000

export function createPruneCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('prune')
      .summary('remove old conversations')
      .description(
        'Lists the conversations that have not changed for a number of days. With --yes, removes them.',
      )
      .requiredOption('--days <number>', 'the minimum age in days', parseNonNegative)
      .option('--yes', 'remove the listed conversations')
      .option(...STORE_OPTION)
      .option('--json', 'print JSON')
      .action((options: PruneOptions) => runPrune(options, terminal)),
    [
      ['List what is older than a month', 'interlingua store prune --days 30'],
      ['Remove it', 'interlingua store prune --days 30 --yes'],
    ],
  )
}

function runPrune({ store, days, yes = false, json }: PruneOptions, terminal: Terminal): Promise<void> {
  return withStore(openExistingStore(store, terminal), async ({ storage, compact }) => {
    const before = new Date(Math.max(0, Date.now() - days * DAY_MS)).toISOString()
    const old: Session[] = []
    for await (const session of iterateSessions(storage)) if (session.updatedAt <= before) old.push(session)
    if (yes) {
      for (const { id } of old) await storage.deleteSession(id)
      await compact()
    }
    if (json === true) return printJson(terminal, { removed: yes, sessions: old })
    await printLines(terminal, formatSessions(old, createColorizer(terminal, terminal.stdout)))
    const outcome = yes ? 'removed' : 'would be removed; pass --yes to remove them'
    await printNotice(terminal, `${old.length} ${outcome}`)
  })
}
