import { Command } from 'commander'
import { type Terminal, printLines, printJson, printNotice } from '../command-io.ts'
import { createMigrateCommand } from './migrate-command.ts'
import { createSalvageCommand, createVerifyStoreCommand } from './verify-salvage-commands.ts'
import { createBackupCommand } from './backup-command.ts'
import { createSearchCommand } from './search-command.ts'
import { createPruneCommand } from './prune-command.ts'
import { createExportCommand, createImportCommand } from './export-import-commands.ts'
import type { Session } from '../../stores/conversation-storage.ts'
import { addCommandExamples } from '../command-examples.ts'
import { parsePositiveInteger } from '../input/format-options.ts'
import { createColorizer, escapeControlCharacters } from '../terminal-text.ts'
import { openExistingStore, STORE_OPTION, type StoreOptions, withStore } from './open-store.ts'
import { iterateSessions, formatSessions, findSessionByIdPrefix } from './find-sessions.ts'
import { omitUndefined } from '../../wire/json.ts'
import { toJson } from '../../canonical/stored/stored-form.ts'
import { formatMessage } from '../inspect/format-transcript.ts'

function createShowCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('show')
      .summary('show a conversation')
      .description('Shows the current branch of a conversation, and the number of branches.')
      .argument('<id>', 'the id of the conversation, or its first characters')
      .option(...STORE_OPTION)
      .option('--json', 'print JSON')
      .action((id: string, options: StoreOptions) => runShow(id, options, terminal)),
    [['A conversation', 'interlingua store show session_example']],
  )
}

function runShow(id: string, { store, json }: StoreOptions, terminal: Terminal): Promise<void> {
  return withStore(openExistingStore(store, terminal), async ({ storage }) => {
    const session = await findSessionByIdPrefix(storage, id)
    const messages = await storage.messages(session.id)
    const branches = await storage.branches(session.id)
    if (json === true) return printJson(terminal, { session, branches, ...toJson(messages) })
    const paint = createColorizer(terminal, terminal.stdout)
    const title = paint('bold', escapeControlCharacters(session.title))
    await printLines(terminal, [
      `${title} ${paint('dim', escapeControlCharacters(session.id))}`,
      ...[...messages].flatMap((message, index) => formatMessage(message, index + 1, paint)),
      ...(branches.length > 1 ? [`${branches.length} branches`] : []),
    ])
  })
}

interface ListOptions extends StoreOptions {
  readonly search?: string
  readonly limit: number
}

function createListCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('list')
      .summary('list conversations')
      .description('Lists conversations, the most recent first.')
      .option('--search <text>', 'only conversations whose title or id contains this text')
      .option('--limit <number>', 'the maximum number of conversations', parsePositiveInteger, 50)
      .option(...STORE_OPTION)
      .option('--json', 'print JSON')
      .action((options: ListOptions) => runList(options, terminal)),
    [
      ['The most recent conversations', 'interlingua store list --limit 10'],
      ['Search by title', 'interlingua store list --search weather --json'],
    ],
  )
}

function runList({ store, search, limit, json }: ListOptions, terminal: Terminal): Promise<void> {
  return withStore(openExistingStore(store, terminal), async ({ storage, path }) => {
    const found: Session[] = []
    for await (const session of iterateSessions(storage, omitUndefined({ search }))) {
      if (found.length >= limit) break
      found.push(session)
    }
    if (json === true) return printJson(terminal, found)
    if (found.length === 0)
      return printNotice(terminal, `No conversations in ${path}. Run interlingua chat to start one.`)
    await printLines(terminal, formatSessions(found, createColorizer(terminal, terminal.stdout)))
  })
}

export function createCommand(terminal: Terminal): Command {
  return new Command('store')
    .description(
      'Manages stored conversations. The store is a SQLite file: --store, or else $INTERLINGUA_STORE, or else a file in the user ' +
        'data folder. If SQLite is not available, a JSONL file is used and a notice is printed. A .jsonl file, and a ' +
        'postgres:// or redis:// URL are stores, too.',
    )
    .addCommand(createListCommand(terminal))
    .addCommand(createShowCommand(terminal))
    .addCommand(createSearchCommand(terminal))
    .addCommand(createExportCommand(terminal))
    .addCommand(createImportCommand(terminal))
    .addCommand(createVerifyStoreCommand(terminal))
    .addCommand(createMigrateCommand(terminal))
    .addCommand(createBackupCommand(terminal))
    .addCommand(createSalvageCommand(terminal))
    .addCommand(createPruneCommand(terminal))
}
