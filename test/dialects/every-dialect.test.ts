import {
  assistant,
  type ChatRequest,
  type DialectName,
  type Json,
  type JsonObject,
  type Message,
  rawMessage,
  reasoning,
  text,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { attachSignature } from 'interlingua/content'
import { describe, expect, test } from 'vitest'
import { subjects } from './dialect-table.ts'

const request = (...messages: readonly Message[]): ChatRequest => ({
  model: 'm',
  maxOutputTokens: 99,
  stream: false,
  messages,
})

/** Wire messages that this version does not understand. */
const unknownMessages: { readonly [name in DialectName]: Json } = {
  'openai-chat': { role: 'critic', content: 'Hm', stars: 3 },
  'openai-responses': { type: 'brand_new_item', stars: 3 },
  anthropic: { role: 'user', content: [{ type: 'brand_new_block', stars: 3 }] },
  gemini: { role: 'critic', parts: [{ brandNew: { stars: 3 } }] },
  ollama: { role: 'critic', content: 'Hm', stars: 3 },
  mistral: { role: 'critic', content: 'Hm', stars: 3 },
  'gemini-interactions': { type: 'brand_new_step', stars: 3 },
  bedrock: { role: 'critic', content: [{ brandNew: { stars: 3 } }] },
  cohere: { role: 'critic', content: 'Hm', stars: 3 },
}

/** The vendor whose signed reasoning a dialect sends back, if there is one. */
const vendors: { readonly [name in DialectName]: string | undefined } = {
  'openai-chat': undefined,
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'google',
  ollama: undefined,
  mistral: 'mistral',
  'gemini-interactions': 'google-interactions',
  bedrock: 'anthropic',
  cohere: undefined,
}

/** The wire form of the failed tool result `boom`, and of the same text as a success. */
const resultForms: { readonly [name in DialectName]: readonly [failure: JsonObject, success: JsonObject] } = {
  'openai-chat': [{ content: '{"error":"boom"}' }, { content: 'boom' }],
  'openai-responses': [{ output: '{"error":"boom"}' }, { output: 'boom' }],
  anthropic: [
    { content: [{ content: [{ type: 'text', text: 'boom' }], is_error: true }] },
    { content: [{ content: [{ type: 'text', text: 'boom' }] }] },
  ],
  gemini: [
    { parts: [{ functionResponse: { response: { error: 'boom' } } }] },
    { parts: [{ functionResponse: { response: { result: 'boom' } } }] },
  ],
  ollama: [{ content: '{"error":"boom"}' }, { content: 'boom' }],
  mistral: [{ content: '{"error":"boom"}' }, { content: 'boom' }],
  'gemini-interactions': [{ result: 'boom', is_error: true }, { result: 'boom' }],
  bedrock: [
    { content: [{ toolResult: { content: [{ text: 'boom' }], status: 'error' } }] },
    { content: [{ toolResult: { content: [{ text: 'boom' }] } }] },
  ],
  cohere: [{ content: '{"error":"boom"}' }, { content: 'boom' }],
}

/** The number of wire messages that a round of two results becomes. */
const roundSizes: { readonly [name in DialectName]: number } = {
  'openai-chat': 2,
  'openai-responses': 2,
  anthropic: 1,
  gemini: 1,
  ollama: 2,
  mistral: 2,
  'gemini-interactions': 2,
  bedrock: 1,
  cohere: 2,
}

/** The roles whose consecutive messages a dialect merges, since its provider requires them to alternate. */
const mergedRoles: { readonly [name in DialectName]: readonly ('user' | 'assistant')[] } = {
  'openai-chat': [],
  'openai-responses': [],
  anthropic: ['user', 'assistant'],
  gemini: ['assistant'],
  ollama: [],
  mistral: [],
  'gemini-interactions': [],
  bedrock: ['user', 'assistant'],
  cohere: [],
}

describe.each(subjects)('$name', ({ name, dialect, row, valid }) => {
  const listOf = (...messages: readonly Message[]): readonly JsonObject[] =>
    dialect.encodeRequest(request(...messages)).value[row.list] as readonly JsonObject[]

  test('[r33] rejects a message with an unknown role, and does not send it', () => {
    const stranger = { ...user('Hi'), role: 'critic' } as unknown as Message
    const refused = (path: string): Error =>
      expect.objectContaining({ code: 'unknown-role', path, found: '"critic"' }) as Error
    const whole = request(user('Hi'), stranger)
    expect(() => dialect.encodeRequest(whole)).toThrow(refused('/messages/1/role'))
    expect(() => dialect.encodeRequestText(whole)).toThrow(refused('/messages/1/role'))
    expect(() => dialect.encodeMessage(stranger)).toThrow(refused('/role'))
  })

  test('[r35] sends a raw wire message of its own unchanged, among other messages', () => {
    const wire = unknownMessages[name]
    const { value, losses } = dialect.encodeRequest(
      request(user('Hi'), rawMessage(name, wire), assistant('Hello'), user('Bye')),
    )
    expect((value[row.list] as readonly Json[])[1]).toEqual(wire)
    expect(losses.filter(({ severity }) => severity === 'loss')).toEqual([])
    expect(dialect.encodeMessage(rawMessage(name, wire)).value).toEqual([wire])
  })

  test('[r35] omits the raw wire message of any other dialect, and reports it', () => {
    for (const { name: other } of subjects.filter((each) => each.name !== name)) {
      const { value, losses } = dialect.encodeRequest(
        request(user('Hi'), rawMessage(other, unknownMessages[other])),
      )
      expect(JSON.stringify(value)).not.toContain('stars')
      expect(losses).toContainEqual(
        expect.objectContaining({ rule: 'foreign-opaque', severity: 'loss', path: '/messages/1/content/0' }),
      )
    }
  })

  test('[C1] splits a round of tool results or merges it into one turn, as its provider requires', () => {
    const calls = ['call_1', 'call_2'].map((id) => toolCall({ id, name: 'weather' }))
    const asked = [user('Hi'), assistant(calls)]
    const round = calls.map((call) => toolResult(call, `for ${call.id}`))
    const sent = listOf(...asked, toolResults(round))
    const answers = sent.filter((element) => JSON.stringify(element).includes('for call_'))
    expect(answers).toHaveLength(roundSizes[name])
    expect(JSON.stringify(answers)).toMatch(/for call_1.*for call_2/)
    expect(listOf(...asked, ...round.map((result) => toolResults(result)))).toEqual(sent)
  })

  test('[C10] sends signed reasoning only to its own vendor, and never as text', () => {
    for (const vendor of ['anthropic', 'openai', 'google', undefined]) {
      const plain = reasoning('Secret thought.')
      const thought = vendor === undefined ? plain : attachSignature(plain, { vendor, value: 'c2lnbmVk' })
      const { value, losses } = dialect.encodeRequest(
        request(user('Hi'), assistant([thought, text('So.')]), user('And?')),
      )
      const isOwn = vendor !== undefined && vendor === vendors[name]
      const sent = JSON.stringify(value)
      expect([sent.includes('Secret thought.'), sent.includes('c2lnbmVk')]).toEqual([isOwn, isOwn])
      const omitted = losses.filter(({ rule }) => rule === 'foreign-reasoning').map(({ path }) => path)
      expect(omitted).toEqual(isOwn ? [] : ['/messages/1/content/0'])
    }
  })

  test('[C12] merges consecutive messages of one role only if its provider requires roles to alternate', () => {
    const asked = listOf(user('a'), user('b'))
    expect(asked).toHaveLength(mergedRoles[name].includes('user') ? 1 : 2)
    expect(JSON.stringify(asked)).toMatch(/"a".*"b"/)
    const answered = listOf(user('a'), assistant('c'), assistant('d'), user('e'))
    expect(answered).toHaveLength(mergedRoles[name].includes('assistant') ? 3 : 4)
    expect(JSON.stringify(answered)).toMatch(/"c".*"d"/)
  })

  test('[C13] sends neither empty messages nor empty text, and reports each', () => {
    const empty: Message = { id: 'msg_1', role: 'user', content: [] }
    const messages = [user('Hi'), empty, assistant(''), user(['', 'There'])]
    const { value, losses } = dialect.encodeRequest(request(...messages))
    expect(value[row.list]).toEqual(listOf(user('Hi'), user('There')))
    expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      'empty-message /messages/1',
      'empty-text /messages/2/content/0',
      'empty-message /messages/2',
      'empty-text /messages/3/content/0',
    ])
  })

  test.each(valid.response)('[C16] counts the usage of $name under the same names', ({ body }) => {
    const { usage } = dialect.decodeResponse(body).value
    if (usage === undefined) return expect(dialect.decodeUsage(body['usage'])).toBeUndefined()
    const { extra: _extra, ...counts } = usage
    const optional = ['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens']
    const names = ['inputTokens', 'outputTokens', 'totalTokens', ...optional.filter((key) => key in counts)]
    expect(Object.keys(counts).toSorted()).toEqual(names.toSorted())
    expect(usage.totalTokens).toBe(usage.inputTokens + usage.outputTokens)
  })

  test('[C20] marks a failed tool result', () => {
    const call = toolCall({ id: 'call_1', name: 'weather' })
    const sentResult = (isError: boolean): JsonObject | undefined =>
      listOf(user('Hi'), assistant([call]), toolResults([toolResult(call, 'boom', { isError })])).at(-1)
    const [failure, success] = resultForms[name]
    expect(sentResult(true)).toMatchObject(failure)
    expect(sentResult(false)).toMatchObject(success)
    expect(JSON.stringify(sentResult(false))).not.toContain('error')
  })
})
