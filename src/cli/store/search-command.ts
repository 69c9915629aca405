import { Command, Option } from 'commander'
import { ROLES, type Role } from '../../canonical/model/message.ts'
import type { ConversationStorage, SearchHit, SearchQuery } from '../../stores/conversation-storage.ts'
import { omitUndefined } from '../../wire/json.ts'
import { addCommandExamples } from '../command-examples.ts'
import { printJson, printLines, printNotice, type Terminal } from '../command-io.ts'
import { restrictTo, parsePositiveInteger } from '../input/format-options.ts'
import { type Colorizer, createColorizer, escapeControlCharacters, formatTable } from '../terminal-text.ts'
import { findSessionByIdPrefix } from './find-sessions.ts'
import { openSearchableStore, STORE_OPTION, type StoreOptions, withStore } from './open-store.ts'

interface SearchOptions extends StoreOptions {
  readonly role?: Role
  readonly tool?: string
  readonly after?: string
  readonly before?: string
  readonly session?: string
  readonly limit: number
}

/** Creates the command that finds messages by their words. */
export function createSearchCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('search')
      .summary('find messages by their words')
      .description(
        'Finds messages that contain all words, the newest first. Quote a query with "a phrase", a prefix* or an -excluded word. ' +
          'Messages of other branches are marked. The first search in a SQLite store creates an index; for PostgreSQL, run ' +
          '`store migrate --search`.',
      )
      .argument('<words...>', 'the words to find')
      .addOption(restrictTo(new Option('--role <role>', 'only messages of this role'), ROLES))
      .option('--tool <name>', 'only calls and results of this tool')
      .option('--after <time>', 'only messages of this time or later, such as 2026-01-31')
      .option('--before <time>', 'only messages before this time')
      .option('--session <id>', 'only this conversation, by its id or its first characters')
      .option('--limit <number>', 'the maximum number of messages', parsePositiveInteger, 20)
      .option(...STORE_OPTION)
      .option('--json', 'print JSON')
      .action((words: readonly string[], options: SearchOptions) => runSearch(words, options, terminal)),
    [
      ['Messages about two words', 'interlingua store search weather oslo'],
      ['A phrase, without a word', `interlingua store search '"in oslo" -rain'`],
      ['What a tool received and returned', 'interlingua store search oslo --tool get_weather --json'],
    ],
  )
}

function runSearch(words: readonly string[], options: SearchOptions, terminal: Terminal): Promise<void> {
  const { store, role, tool, after, before, limit, json } = options
  return withStore(openSearchableStore(store, terminal), async ({ storage, path }) => {
    const session =
      options.session === undefined ? undefined : (await findSessionByIdPrefix(storage, options.session)).id
    const query = { query: words.join(' '), ...omitUndefined({ role, tool, after, before, session }) }
    const hits = await findHits(storage, query, limit)
    if (json === true) return printJson(terminal, hits)
    if (hits.length === 0) return printNotice(terminal, `No messages with these words in ${path}.`)
    const paint = createColorizer(terminal, terminal.stdout)
    await printLines(terminal, formatTable(hits.map((hit) => formatHit(hit, paint))))
  })
}

/** Returns the first hits. A page may have fewer than wanted although more follow. */
async function findHits(
  storage: ConversationStorage,
  query: SearchQuery,
  limit: number,
): Promise<readonly SearchHit[]> {
  const hits: SearchHit[] = []
  let cursor: string | undefined
  do {
    const page = await storage.search({
      ...query,
      limit: limit - hits.length,
      ...(cursor !== undefined && { cursor }),
    })
    for (const hit of page.hits) hits.push(hit)
    cursor = page.cursor
  } while (cursor !== undefined && hits.length < limit)
  return hits
}

function formatHit(
  { session, time, role, isCurrent, snippet }: SearchHit,
  paint: Colorizer,
): readonly string[] {
  return [
    paint('cyan', escapeControlCharacters(session)),
    time.slice(0, 16).replace('T', ' '),
    isCurrent ? role : `${role} (other branch)`,
    formatSnippet(snippet, paint),
  ]
}

function formatSnippet({ text, matches }: SearchHit['snippet'], paint: Colorizer): string {
  const toLine = (part: string): string => escapeControlCharacters(part.replaceAll(/\s+/g, ' '))
  const parts: string[] = []
  let end = 0
  for (const [from, to] of matches) {
    parts.push(toLine(text.slice(end, from)), paint('bold', toLine(text.slice(from, to))))
    end = to
  }
  return [...parts, toLine(text.slice(end))].join('')
}
