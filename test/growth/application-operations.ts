import { type Message, toText, user } from 'interlingua'
import { Agent } from 'interlingua/agent'
import {
  caching,
  defaultSettings,
  fallback,
  logging,
  rateLimit,
  resolveMedia,
  scripted,
  wrapModel,
} from 'interlingua/providers'
import { tracing } from 'interlingua/otel'
import {
  chainStrategies,
  Conversation,
  dropToolTraffic,
  estimateTokens,
  keepLast,
  memoryStorage,
  summarize,
  tokenBudget,
} from 'interlingua/stores'
import { onMessages, onRequest, type Operation, withUniqueIds } from './operation.ts'

const model = scripted(() => 'Yes')

/** Stores a conversation, and reads it in every way. */
async function exerciseStorage(messages: readonly Message[]): Promise<void> {
  const storage = memoryStorage()
  const { id } = await storage.createSession()
  await storage.append(id, withUniqueIds(messages))
  await storage.messages(id)
  await storage.messages(id, { last: 10 })
  await storage.branches(id)
  await storage.search({ query: 'value' })
  await storage.usage({ session: id })
  await storage.verify(id)
  const lines: string[] = []
  for await (const line of storage.exportSession(id)) lines.push(line)
  await storage.importSession(lines, { id: 'copy' })
  await storage.saveStore('saved', await storage.loadStore(id))
  await storage.syncHistory(id, withUniqueIds(messages))
  const fork = await storage.fork(id)
  await storage.deleteSession(id)
  await storage.messages(fork.id)
}

/** Calls a model behind every middleware. */
async function exerciseMiddleware(messages: readonly Message[]): Promise<void> {
  const wrapped = wrapModel(
    model,
    defaultSettings({ temperature: 0 }),
    logging({ log: () => undefined, includeContents: true }),
    rateLimit({ maxRequests: 1e9 }),
    caching({ store: new Map() }),
    fallback([model]),
    tracing({ includeContents: true }),
  )
  await wrapped.generate({ messages })
  await toText(wrapped.stream({ messages }))
}

/** The functions of applications: context strategies, storages, agents and models. */
export const applicationOperations: readonly Operation[] = [
  onMessages('estimateTokens', (messages) => messages.map(estimateTokens)),
  onMessages('keepLast', (messages) => keepLast(7)(messages)),
  onMessages('keepLast half', (messages) => keepLast(Math.ceil(messages.length / 2))(messages)),
  onMessages('tokenBudget', (messages) => tokenBudget({ tokens: 10_000 })(messages)),
  onMessages('dropToolTraffic', (messages) => dropToolTraffic()(messages)),
  onMessages('chainStrategies', (messages) => chainStrategies(dropToolTraffic(), keepLast(7))(messages)),
  onMessages('summarize', (messages) =>
    summarize({ agent: new Agent({ model }), maxMessages: 20, keepMessages: 10 })(messages),
  ),
  onMessages('memoryStorage', exerciseStorage),
  onMessages('Agent', (messages) => new Agent({ model }).send([...messages, user('Now')])),
  onMessages('Conversation', async (messages) => {
    const storage = memoryStorage()
    const { id: session } = await storage.createSession()
    await storage.append(session, withUniqueIds(messages))
    await new Conversation({ agent: new Agent({ model }), storage, session }).send('Now')
  }),
  onMessages('middleware', exerciseMiddleware),
  onRequest('resolveMedia', (request) => resolveMedia({ ...request, model: 'm' })),
  onRequest('scripted in a wire format', (request, dialect) =>
    scripted(() => 'Yes', { dialect }).generate({ messages: request.messages }),
  ),
]
