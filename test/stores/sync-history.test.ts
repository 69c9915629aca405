import {
  assistant,
  type ChatRequest,
  type DialectName,
  dialects,
  type Message,
  reasoning,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { attachSignature } from 'interlingua/content'
import { memoryStorage } from 'interlingua/stores'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { describe, expect, test } from 'vitest'

const LENGTH = 200
const SENDS = process.env['SOAK'] ? 1_000 : 200

/** A turn of a conversation: text, calls and their results, and reasoning. */
function turn(index: number, dialect: DialectName): Message {
  const call = toolCall({
    id: `call_${index - (index % 4)}`,
    name: 'look',
    arguments: { at: index - (index % 4) },
  })
  const thought =
    dialect === 'anthropic'
      ? [attachSignature(reasoning('Let me look.'), { vendor: 'anthropic', value: 'c2lnbmF0dXJl' })]
      : []
  // A client of Cohere cannot send text beside calls, but a plan.
  const remark = dialect === 'cohere' ? reasoning('I look.') : 'I look.'
  if (index % 4 === 0) return user(`Question ${index}`)
  if (index % 4 === 1) return assistant([...thought, remark, { ...call, id: `call_${index}` }])
  if (index % 4 === 2) return toolResults(toolResult(`call_${index - 1}`, { found: index }, { name: 'look' }))
  return assistant(`Answer ${index}`)
}

/** The history that a server receives: encoded in the dialect of the client, then decoded. */
function decodedAnew(dialect: DialectName, messages: readonly Message[]): readonly Message[] {
  const request: ChatRequest = { model: 'm', messages: [...messages] }
  const body: unknown = JSON.parse(JSON.stringify(dialects[dialect].encodeRequest(request).value))
  return [...dialects[dialect].decodeRequest(body, { path: '/models/m:generateContent' }).value.messages]
}

/** A response of a server, decoded. */
function answered(dialect: DialectName, message: Message): Message {
  if (message.role !== 'assistant') return message
  const finish = {
    reason: message.content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop',
  } as const
  const wire = dialects[dialect].encodeResponse({
    id: 'r',
    model: 'm',
    candidates: [{ ...message, finish }],
  }).value
  const [candidate] = dialects[dialect].decodeResponse(JSON.parse(JSON.stringify(wire))).value.candidates
  return candidate ?? message
}

describe('a client that sends its complete history each time', () => {
  test.each(Object.keys(dialects) as DialectName[])('%s: only new messages are stored', async (dialect) => {
    const storage = memoryStorage()
    await storage.createSession({ id: 's' })
    const history: Message[] = []
    for (let index = 0; index < 40; index++) {
      const next = answered(dialect, turn(index, dialect))
      history.push(next)
      if (next.role === 'assistant') await storage.append('s', next)
      else await storage.syncHistory('s', decodedAnew(dialect, history))
    }
    expect((await storage.messages('s')).size).toBe(40)
    expect(await storage.branches('s')).toHaveLength(1)
  })

  test(`${SENDS} syncs of a history that grows to ${LENGTH} messages store ${LENGTH} messages`, async () => {
    const storage = await sqliteStorage(':memory:')
    await storage.createSession({ id: 's' })
    const history: Message[] = []
    let sends = 0
    for (let index = 0; index < LENGTH; index++) {
      const next = answered('openai-chat', turn(index, 'openai-chat'))
      history.push(next)
      if (next.role === 'assistant') {
        await storage.append('s', next)
        continue
      }
      // Clients repeat requests: after an error, after a timeout, or because two of them share the
      // conversation.
      for (let again = 0; again < SENDS / (LENGTH / 2); again++, sends++) {
        await storage.syncHistory('s', decodedAnew('openai-chat', history))
      }
    }
    const lines: string[] = []
    for await (const line of storage.exportSession('s')) lines.push(line)
    expect([sends, history.length, lines.length - 1]).toEqual([SENDS, LENGTH, LENGTH])
    expect(await storage.verify()).toEqual([])
    await storage.close()
  })
})
