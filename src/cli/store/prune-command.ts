import { join } from 'node:path'
import { mkdir, open } from 'node:fs/promises'
import { Command } from 'commander'
import type { ConversationStorage, Session } from '../../stores/conversation-storage.ts'
import type { PruneSessionsOptions, DeletionReceipt } from '../../stores/retention.ts'
import { createUnusableFileError } from '../../stores/storage-errors.ts'
import { omitUndefined } from '../../wire/json.ts'
import { addCommandExamples } from '../command-examples.ts'
import { parseNonNegative } from '../input/format-options.ts'
import { toAbsolutePath } from '../input/input-source.ts'
import { createColorizer, escapeControlCharacters } from '../terminal-text.ts'
import { printLines, printJson, printNotice, type Terminal } from '../command-io.ts'
import { formatSessions } from './find-sessions.ts'
import { openExistingStore, STORE_OPTION, type StoreOptions, withStore } from './open-store.ts'

interface PruneCommandOptions extends StoreOptions {
  readonly days?: number
  readonly keepLast?: number
  readonly label?: string
  readonly archive?: string
  readonly yes?: boolean
}

const DAY_MS = 24 * 60 * 60 * 1000

export function createPruneCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('prune')
      .summary('remove old conversations')
      .description(
        'Lists expired conversations and those that --days and --keep-last select. With --yes, removes them. Forks keep the ' +
          'messages that they share.',
      )
      .option('--days <number>', 'the minimum age in days', parseNonNegative)
      .option('--keep-last <number>', 'the number of most recent conversations to keep', parseNonNegative)
      .option('--label <label>', 'only conversations with this label')
      .option('--archive <folder>', 'write each conversation to a file in this folder before it is removed')
      .option('--yes', 'remove the listed conversations')
      .option(...STORE_OPTION)
      .option('--json', 'print JSON')
      .action((options: PruneCommandOptions) => runPrune(options, terminal)),
    [
      ['List what is older than a month', 'interlingua store prune --days 30'],
      ['Remove it', 'interlingua store prune --days 30 --yes'],
    ],
  )
}

function runPrune(options: PruneCommandOptions, terminal: Terminal): Promise<void> {
  const { store, archive, yes = false, json } = options
  return withStore(openExistingStore(store, terminal), async ({ storage, compact }) => {
    const selection = toPruneOptions(options)
    const sessions = await describeSessions(storage, await storage.prune({ ...selection, isDryRun: true }))
    const folder = archive === undefined ? undefined : toAbsolutePath(archive, terminal)
    const archiving = yes && folder !== undefined && { archive: await createArchive(folder) }
    const receipt = await storage.prune({ ...selection, ...archiving, isDryRun: !yes })
    if (yes) await compact()
    const ids = new Set(receipt.deleted.map(({ id }) => id))
    const listed = sessions.filter(({ id }) => ids.has(id))
    if (json === true) return printJson(terminal, { removed: yes, sessions: listed, receipt })
    await printLines(terminal, [
      ...formatSessions(listed, createColorizer(terminal, terminal.stdout)),
      ...formatNotes(receipt).map(escapeControlCharacters),
    ])
    const outcome = yes ? 'removed' : 'would be removed; pass --yes to remove them'
    await printNotice(terminal, `${listed.length} ${outcome}`)
  })
}

function toPruneOptions({ days, keepLast, label }: PruneCommandOptions): PruneSessionsOptions {
  // An age of zero days selects all, those that were written in this millisecond included.
  if (days === 0) return omitUndefined({ keepLast: keepLast ?? 0, label })
  const olderThan = days === undefined ? undefined : new Date(Math.max(0, Date.now() - days * DAY_MS))
  return omitUndefined({ olderThan, keepLast, label })
}

async function describeSessions(
  storage: ConversationStorage,
  { deleted }: DeletionReceipt,
): Promise<readonly Session[]> {
  const sessions: Session[] = []
  for (const { id } of deleted) {
    const session = await storage.session(id)
    if (session !== undefined) sessions.push(session)
  }
  return sessions
}

/** Returns the lines about forks that keep messages, and about conversations that were not removed. */
function formatNotes({ deleted, kept }: DeletionReceipt): readonly string[] {
  const shared = deleted.filter(({ keptBy }) => keptBy.length > 0)
  return [
    ...shared.map(({ id, keptBy }) => `Shared messages of ${id} are kept by ${keptBy.join(', ')}.`),
    ...kept.map(({ id, reason }) => `${id} was kept: ${reason}`),
  ]
}

/** Creates a function that writes each session to a new file of its own, as `store export` does. */
async function createArchive(folder: string): Promise<NonNullable<PruneSessionsOptions['archive']>> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw createUnusableFileError(error)
  })
  return async ({ id, updatedAt }, lines) => {
    const name = `${encodeURIComponent(id)}-${updatedAt.replaceAll(/[:.]/g, '-')}.jsonl`
    // An existing file is never overwritten.
    const file = await open(join(folder, name), 'wx', 0o600)
    try {
      for await (const line of lines) await file.appendFile(`${line}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
  }
}
