import { Command } from 'commander'
import type { Session } from '../../stores/contract.ts'
import { Exit } from '../exit-codes.ts'
import { examples } from '../examples.ts'
import { amount } from '../input/options.ts'
import { paintFor, printable } from '../paint.ts'
import { say, sayJson, tell, type Terminal } from '../terminal.ts'
import { openExisting, STORE_OPTION, withStore } from './open.ts'
import { allSessions, findSession, sessionLines } from './sessions.ts'

interface VerifyOptions {
  readonly store?: string
  readonly json?: boolean
}

export function verifyStoreCommand(terminal: Terminal): Command {
  return examples(
    new Command('verify')
      .summary('look for damage')
      .description(
        'Recomputes every hash and checksum, and names what is damaged. Exit code 5 where something is.',
      )
      .argument('[id]', 'one conversation; all of them where it is left out')
      .option(...STORE_OPTION)
      .option('--json', 'as JSON')
      .action((id: string | undefined, options: VerifyOptions) => verifyStore(id, options, terminal)),
    [['Everything', 'interlingua store verify']],
  )
}

function verifyStore(
  id: string | undefined,
  { store, json }: VerifyOptions,
  terminal: Terminal,
): Promise<void> {
  return withStore(openExisting(store, terminal), async ({ storage, path }) => {
    const damages = await storage.verify(id === undefined ? undefined : (await findSession(storage, id)).id)
    if (json === true) await sayJson(terminal, damages)
    else if (damages.length === 0) await say(terminal, `Nothing is damaged in ${path}.`)
    else
      for (const { session = '-', message = '-', kind, reason } of damages)
        await say(terminal, printable(`${session}  ${message}  ${kind}: ${reason}`))
    if (damages.length > 0) throw new Exit('broken')
  })
}

interface PruneOptions {
  readonly store?: string
  readonly days: number
  readonly yes?: boolean
  readonly json?: boolean
}

const DAY = 24 * 60 * 60 * 1000

export function pruneCommand(terminal: Terminal): Command {
  return examples(
    new Command('prune')
      .summary('remove old conversations')
      .description(
        'Shows the conversations that nobody has written to for so many days, and removes them with --yes.',
      )
      .requiredOption('--days <number>', 'how old, at least', amount)
      .option('--yes', 'remove them')
      .option(...STORE_OPTION)
      .option('--json', 'as JSON')
      .action((options: PruneOptions) => prune(options, terminal)),
    [
      ['What is older than a month', 'interlingua store prune --days 30'],
      ['And away with it', 'interlingua store prune --days 30 --yes'],
    ],
  )
}

function prune({ store, days, yes, json }: PruneOptions, terminal: Terminal): Promise<void> {
  return withStore(openExisting(store, terminal), async ({ storage, compact }) => {
    const before = new Date(Math.max(0, Date.now() - days * DAY)).toISOString()
    const old: Session[] = []
    for await (const session of allSessions(storage)) if (session.updatedAt <= before) old.push(session)
    if (yes === true) {
      for (const { id } of old) await storage.deleteSession(id)
      await compact()
    }
    if (json === true) return sayJson(terminal, { removed: yes === true, sessions: old })
    for (const line of sessionLines(old, paintFor(terminal, terminal.stdout))) await say(terminal, line)
    await tell(
      terminal,
      yes === true ? `${old.length} removed` : `${old.length} would go; --yes removes them`,
    )
  })
}
