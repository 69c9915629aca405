import { Command } from 'commander'
import type { Session } from '../../stores/conversation-storage.ts'
import { CommandExit } from '../exit-codes.ts'
import { addExamples } from '../command-examples.ts'
import { parseNonNegative } from '../input/format-options.ts'
import { createColorizer, escapeControlCharacters } from '../terminal-text.ts'
import { printLine, printJson, printNotice, type Terminal } from '../command-io.ts'
import { openExistingStore, STORE_OPTION, withStore } from './open-store.ts'
import { iterateSessions, findSession, formatSessions } from './sessions.ts'

interface VerifyStoreOptions {
  readonly store?: string
  readonly json?: boolean
}

export function createVerifyStoreCommand(terminal: Terminal): Command {
  return addExamples(
    new Command('verify')
      .summary('check stored conversations for damage')
      .description(
        'Recomputes every hash and checksum, and lists damaged messages. Exit code 5 if there are any.',
      )
      .argument('[id]', 'the id of one conversation; all of them if omitted')
      .option(...STORE_OPTION)
      .option('--json', 'print JSON')
      .action((id: string | undefined, options: VerifyStoreOptions) => runVerifyStore(id, options, terminal)),
    [['Check all conversations', 'interlingua store verify']],
  )
}

function runVerifyStore(
  id: string | undefined,
  { store, json }: VerifyStoreOptions,
  terminal: Terminal,
): Promise<void> {
  return withStore(openExistingStore(store, terminal), async ({ storage, path }) => {
    const issues = await storage.verify(id === undefined ? undefined : (await findSession(storage, id)).id)
    if (json === true) await printJson(terminal, issues)
    else if (issues.length === 0) await printLine(terminal, `No damage found in ${path}.`)
    else
      for (const { session = '-', message = '-', kind, reason } of issues)
        await printLine(terminal, escapeControlCharacters(`${session}  ${message}  ${kind}: ${reason}`))
    if (issues.length > 0) throw new CommandExit('check-failed')
  })
}

interface PruneOptions {
  readonly store?: string
  readonly days: number
  readonly yes?: boolean
  readonly json?: boolean
}

const DAY_MS = 24 * 60 * 60 * 1000

export function createPruneCommand(terminal: Terminal): Command {
  return addExamples(
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

function runPrune({ store, days, yes, json }: PruneOptions, terminal: Terminal): Promise<void> {
  return withStore(openExistingStore(store, terminal), async ({ storage, compact }) => {
    const before = new Date(Math.max(0, Date.now() - days * DAY_MS)).toISOString()
    const old: Session[] = []
    for await (const session of iterateSessions(storage)) if (session.updatedAt <= before) old.push(session)
    if (yes === true) {
      for (const { id } of old) await storage.deleteSession(id)
      await compact()
    }
    if (json === true) return printJson(terminal, { removed: yes === true, sessions: old })
    for (const line of formatSessions(old, createColorizer(terminal, terminal.stdout)))
      await printLine(terminal, line)
    await printNotice(
      terminal,
      yes === true ? `${old.length} removed` : `${old.length} would be removed; pass --yes to remove them`,
    )
  })
}
