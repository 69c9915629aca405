import { assistant, MessageStore, user } from 'interlingua'
import type { ConversationStorage } from 'interlingua/stores'

/** Number of messages that each tenant and each session has. */
export const SIZES = { tenants: 6, sessions: 3, messages: 200 }

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }

/** Fills a storage with the sessions of several tenants. */
export async function fillTenants(storage: ConversationStorage): Promise<void> {
  for (let tenant = 0; tenant < SIZES.tenants; tenant++) {
    const own = storage.forTenant(`tenant ${tenant}`)
    for (let session = 0; session < SIZES.sessions; session++) {
      const { id } = await own.createSession({ id: `s${session}` })
      const messages = Array.from({ length: SIZES.messages }, (_, index) =>
        index % 2 === 0
          ? user(`Question ${index}`)
          : assistant(`Answer ${index}`, { usage, origin: { dialect: 'gemini', responseId: `r${index}` } }),
      )
      await own.append(id, messages)
    }
  }
}

/** Runs every operation of a storage once, in a session that exists and its fork. */
export async function runEveryOperation(storage: ConversationStorage, session: string): Promise<void> {
  const { added } = await storage.append(session, [
    user('One'),
    assistant('Two'),
    user('Three'),
    user('Four'),
  ])
  const [first = '', second = '', third = ''] = added.map(({ id }) => id)
  await storage.session(session)
  await storage.sessions()
  await storage.sessions({ search: 's', label: 'x' })
  await storage.updateSession(session, { labels: ['x'] })
  await storage.get(session, first)
  await storage.head(session)
  await storage.messages(session)
  await storage.messages(session, { last: 2, to: second })
  await storage.loadStore(session)
  for await (const _line of storage.exportSession(session));
  await storage.fork(session, { id: 'fork', at: third })
  await storage.append('fork', 'Fork')
  await storage.messages('fork')
  await storage.branches('fork')
  await storage.setHead('fork', first)
  await storage.label(session, second, 'good')
  await storage.labels(session)
  await storage.unlabel(session, second, 'good')
  await storage.replace(session, first, 'Uno')
  await storage.remove(session, second)
  await storage.setHead(session, first)
  await storage.append(session, assistant('Other', { usage, origin: { dialect: 'gemini', responseId: 'r' } }))
  await storage.syncHistory(session, await storage.messages(session))
  await storage.branches(session)
  for (const query of ['Question', 'Uno', 'Ques*', '"Question 4" -seven']) {
    const { cursor = '' } = await storage.search({ query, limit: 3, role: 'user', after: '2020-01-01' })
    if (cursor !== '') await storage.search({ query, limit: 3, cursor })
    await storage.search({ query, session: 'fork' })
  }
  await storage.usage()
  await storage.usage({ by: [], from: '2020-01-01' })
  await storage.usage({ session, by: ['model'] })
  await storage.verify('fork')
  await storage.verify()
  await storage.saveStore(session, MessageStore.of())
  await storage.deleteSession(session)
}

/** Tests whether a statement looks for rows that belong to nothing, which `verify()` of all sessions does in whole tables. */
export function isWholeTableCheck(statement: string): boolean {
  return (
    statement.includes('as is_orphan') ||
    /^select cast\(\w+ as text\) as key from interlingua_search/.test(statement)
  )
}
