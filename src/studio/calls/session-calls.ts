import type { Message } from '../../canonical/model/message.ts'
import { textOf, toolCallsOf, toolResultsOf } from '../../canonical/read/message-content.ts'
import { calculateCost } from '../../client/prices.ts'
import { InterlinguaError } from '../../errors.ts'
import { loadPrices } from '../../providers/model-catalog.ts'
import { type ConversationStorage, DEFAULT_SECTION } from '../../stores/conversation-storage.ts'
import { isObject, omitUndefined } from '../../wire/json.ts'
import {
  MAX_TITLE_LENGTH,
  type SessionTree,
  type SessionTreeNode,
  type UsageTableRow,
} from '../api/contract.ts'
import { type CallTable, readText, type UncheckedInput } from '../http-api.ts'
import type { ConversationLibrary } from '../conversation-library.ts'

type SessionCalls = Pick<
  CallTable,
  (`sessions.${string}` & keyof CallTable) | 'messages.read' | 'messages.select' | 'usage.read'
>

const PAGE_SIZE = 100
const MAX_MESSAGES_PER_CALL = 500
const EXCERPT_LENGTH = 120

/** Marks of Markdown that an excerpt does not need. */
const MARKDOWN_MARKS = /\*\*|```\w*|^#+ /gm

/** Creates the calls about stored conversations. */
export function createSessionCalls(library: ConversationLibrary): SessionCalls {
  const open = async (
    input: UncheckedInput,
  ): Promise<{ readonly session: string; readonly storage: ConversationStorage }> => {
    const session = readText(input, 'session')
    return { session, storage: await library.storageOf(session) }
  }
  return {
    'sessions.list': async (input) => {
      const cursor = input['cursor'] === undefined ? undefined : readText(input, 'cursor')
      const page = await library.store.sessions({ limit: PAGE_SIZE, ...omitUndefined({ cursor }) })
      const own = page.sessions.map((each) => library.summarize(each, library.store))
      if (page.cursor !== undefined) return { sessions: own, cursor: page.cursor }
      const { sessions } = await library.samples.sessions({ limit: PAGE_SIZE })
      return { sessions: [...own, ...sessions.map((each) => library.summarize(each, library.samples))] }
    },
    'sessions.search': async (input) => {
      const query = readText(input, 'query')
      const pages = await Promise.all(
        [library.store, library.samples].map((storage) => storage.search({ query, limit: 50 })),
      )
      return pages.flatMap(({ hits }) => hits)
    },
    'sessions.open': async (input) => {
      const { session, storage } = await open(input)
      return readTree(session, storage, library)
    },
    'sessions.rename': async (input) => {
      const { session, storage } = await open(input)
      const title = readTitle(input)
      return library.summarize(await storage.updateSession(session, { title }), storage)
    },
    'sessions.delete': async (input) => {
      const { session, storage } = await open(input)
      return { isDeleted: await storage.deleteSession(session) }
    },
    'sessions.fork': async (input) => {
      const { session, storage } = await open(input)
      const source = await storage.session(session)
      const title = `${source?.title ?? ''} (fork)`.trim()
      return library.summarize(await storage.fork(session, { at: readText(input, 'at'), title }), storage)
    },
    'messages.read': async (input) => {
      const { session, storage } = await open(input)
      const found = await Promise.all(readIds(input).map((id) => storage.get(session, id)))
      return found.filter((message) => message !== undefined)
    },
    'messages.select': async (input) => {
      const { session, storage } = await open(input)
      const head = readText(input, 'head')
      await storage.setHead(session, head)
      return { head }
    },
    'usage.read': async (input) => {
      const { session, storage } = await open(input)
      return readUsage(session, storage)
    },
  }
}

function readTitle(input: UncheckedInput): string {
  const title = readText(input, 'title').trim()
  if (title.length <= MAX_TITLE_LENGTH) return title
  throw new InterlinguaError('invalid-value', 'The title is too long', {
    path: '/title',
    found: `${title.length} characters`,
    expected: `at most ${MAX_TITLE_LENGTH} characters`,
  })
}

function readIds({ ids }: UncheckedInput): readonly string[] {
  if (Array.isArray(ids) && ids.length <= MAX_MESSAGES_PER_CALL && ids.every((id) => typeof id === 'string'))
    return ids
  throw new InterlinguaError('invalid-value', 'The ids of the messages are invalid', {
    path: '/ids',
    expected: `at most ${MAX_MESSAGES_PER_CALL} texts`,
  })
}

/** Reads all branches of a session. Its export contains every message once, parents before children. */
async function readTree(
  id: string,
  storage: ConversationStorage,
  library: ConversationLibrary,
): Promise<SessionTree> {
  const session = await storage.session(id)
  if (session === undefined)
    throw new InterlinguaError('unknown-session', 'The conversation does not exist any more', {
      hint: 'Choose another one in the list.',
    })
  const nodes: SessionTreeNode[] = []
  for await (const line of storage.exportSession(id)) {
    const { section, message } = JSON.parse(line) as { readonly section?: string; readonly message?: unknown }
    if (section === DEFAULT_SECTION && isObject(message))
      nodes.push(toTreeNode(message as unknown as Message))
  }
  const head = await storage.head(id)
  return { session: library.summarize(session, storage), nodes, ...omitUndefined({ head }) }
}

function toTreeNode(message: Message): SessionTreeNode {
  const { id, parentId, role } = message
  const isAnswer = message.role === 'assistant'
  return {
    id,
    role,
    excerpt: describeContent(message),
    ...omitUndefined({
      parent: parentId,
      model: isAnswer ? message.origin?.model : undefined,
      tokens: isAnswer ? message.usage?.outputTokens : undefined,
    }),
  }
}

function describeContent(message: Message): string {
  const text =
    textOf(message, ' ') ||
    toolResultsOf(message)
      .map((result) => textOf(result, ' ') || 'result')
      .join(' ')
  const calls = toolCallsOf(message).map(({ name }) => `${name}()`)
  return [text.slice(0, EXCERPT_LENGTH), ...calls]
    .join(' ')
    .replaceAll(MARKDOWN_MARKS, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, EXCERPT_LENGTH)
}

async function readUsage(session: string, storage: ConversationStorage): Promise<readonly UsageTableRow[]> {
  const [totals, prices] = await Promise.all([
    storage.usage({ session, by: ['provider', 'model'] }),
    loadPrices(),
  ])
  return totals.map(({ provider = '', model = '', answers, usage }) => ({
    provider,
    model,
    answers,
    usage,
    ...omitUndefined({ cost: calculateCost(usage, { provider, model }, prices) }),
  }))
}
