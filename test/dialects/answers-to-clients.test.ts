import {
  accumulate,
  assistant,
  type AssistantMessage,
  audio,
  type ChatEvent,
  type DialectName,
  dialects,
  type EncodeOptions,
  image,
  InterlinguaError,
  reasoning,
  system,
  text,
  toEvents,
  toolCall,
  toolResult,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { pairs, subjects } from './dialect-table.ts'
import { translateAnyResponse } from './translate-any-response.ts'
import { encodeStreamText, source, streamNames, toStreamText } from './stream-responses.ts'

/** Returns the words of an answer: its text, and the text of a refusal. */
function wordsOf(message: AssistantMessage | undefined): string {
  return (message?.content ?? [])
    .map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : ''))
    .join('')
}

function reasoningTextOf(message: AssistantMessage | undefined): string {
  return (message?.content ?? []).map((part) => (part.type === 'reasoning' ? part.text : '')).join('')
}

describe.each(pairs)('an answer of $from.name for a client of $to.name', ({ from, to }) => {
  test.each(from.fixtures.response)('contains the words of the model only: $name', ({ body }) => {
    const [sent] = from.dialect.decodeResponse(body).value.candidates
    const { value } = translateAnyResponse(body, { from: from.name, to: to.name })
    const [shown] = to.dialect.decodeResponse(value).value.candidates
    // Blank text has no words, and some formats cannot contain it.
    if (wordsOf(sent).trim() !== '') expect(wordsOf(shown)).toBe(wordsOf(sent))
    expect(reasoningTextOf(shown)).toBe(reasoningTextOf(sent))
  })
})

/** The fields in which each format shows reasoning to its clients. */
const nativeForms: { readonly [name in DialectName]: RegExp } = {
  'openai-chat': /"reasoning_content":"Let me/,
  'openai-responses': /"response.reasoning_summary_text.delta".*"delta":"Let me/,
  anthropic: /"thinking_delta","thinking":"Let me/,
  gemini: /"text":"Let me[^}]*"thought":true/,
  ollama: /"thinking":"Let me/,
  mistral: /"type":"thinking","thinking":\[\{"type":"text","text":"Let me/,
  'gemini-interactions': /"thought_summary","content":\{"type":"text","text":"Let me/,
  bedrock: /"reasoningContent":\{"text":"Let me/,
  cohere: /"thinking":"Let me/,
}

describe.each(streamNames)('reasoning of another vendor in a stream of %s', (name) => {
  const events: readonly ChatEvent[] = [
    { type: 'start', id: 'r', model: 'm', origin: { dialect: 'another' } },
    { type: 'part-start', index: 0, part: { type: 'reasoning', text: '' } },
    { type: 'reasoning-delta', index: 0, text: 'Let me' },
    { type: 'reasoning-delta', index: 0, text: ' think' },
    { type: 'part-update', index: 0, signature: { vendor: 'another', value: 'sealed' } },
    { type: 'part-end', index: 0 },
    { type: 'part-start', index: 1, part: { type: 'text', text: '' } },
    { type: 'text-delta', index: 1, text: 'Done' },
    { type: 'part-end', index: 1 },
    { type: 'finish', finish: { reason: 'stop' } },
  ]

  test('is shown in its own form as it arrives, without the signature', async () => {
    let written = ''
    async function* observe(): AsyncGenerator<ChatEvent> {
      for (const event of events) {
        if (event.type === 'reasoning-delta' && event.text === ' think')
          expect(written).toMatch(nativeForms[name])
        yield event
      }
    }
    for await (const bytes of dialects[name].encodeStream(observe())) written += toStreamText(name, [bytes])
    expect(written).not.toContain('sealed')
    const [message] = (await accumulate(dialects[name].decodeStream(source(written)))).candidates
    expect(reasoningTextOf(message)).toBe('Let me think')
    expect(wordsOf(message)).toBe('Done')
  })

  test.each(['drop', 'text'] as const)('follows the action %s', async (foreignReasoning) => {
    const { text: bytes } = await encodeStreamText(name, events, { foreignReasoning })
    const [message] = (await accumulate(dialects[name].decodeStream(source(bytes)))).candidates
    expect(reasoningTextOf(message)).toBe('')
    const shown = foreignReasoning === 'text' ? '<thinking>\nLet me think\n</thinking>' : ''
    expect(wordsOf(message)).toBe(`${shown}Done`)
  })
})

const search = toolCall({ id: 's', name: 'search', arguments: { q: 'x' }, executedBy: 'provider' })
const answer = assistant(
  [reasoning('Hm.'), search, toolResult(search, 'hit'), text('Done'), image('https://example.com/a.png')],
  { finish: { reason: 'stop' } },
)

describe.each(subjects)('content that $name cannot express in an answer', ({ name, dialect }) => {
  const show = (options: EncodeOptions, message: AssistantMessage = answer): AssistantMessage | undefined =>
    dialect.decodeResponse(dialect.encodeResponse({ candidates: [message] }, options).value).value
      .candidates[0]

  test('is omitted by default and reported', () => {
    expect(wordsOf(show({}))).toBe('Done')
    const rules = dialect.encodeResponse({ candidates: [answer] }).losses.map(({ rule }) => rule)
    expect(rules.filter((rule) => rule === 'dropped-provider-call')).toHaveLength(2)
  })

  test('is described in the text or in the reasoning on request', () => {
    expect(wordsOf(show({ unsupported: { hostedTools: 'text' } }))).toContain('[search ran with {"q":"x"}]')
    const shown = show({ unsupported: { hostedTools: 'reasoning' } })
    expect(wordsOf(shown)).toBe('Done')
    expect(reasoningTextOf(shown)).toContain('[search ran with {"q":"x"}]')
  })

  test('is rejected on request, with its path', () => {
    const refuse = (): unknown => show({ unsupported: { hostedTools: 'reject' } })
    expect(refuse).toThrow(InterlinguaError)
    expect(refuse).toThrow(expect.objectContaining({ code: 'loss-refused', path: '/candidates/0/content/1' }))
    expect(() => show({ foreignReasoning: 'reject' })).toThrow(
      expect.objectContaining({ code: 'loss-refused', path: '/candidates/0/content/0' }),
    )
  })

  test('audio with a transcript becomes its words', () => {
    const spoken = audio({ kind: 'url', url: 'https://example.com/a.wav' }, { transcript: 'Hello there' })
    if (name !== 'openai-chat' && !name.startsWith('gemini'))
      expect(wordsOf(show({}, assistant([spoken], { finish: { reason: 'stop' } })))).toBe('Hello there')
  })
})

test('the caller signs reasoning of another vendor for clients of anthropic', () => {
  const response = { candidates: [answer] }
  const fixed = dialects.anthropic.encodeResponse(response, { reasoningSignature: 'proxy' })
  expect(fixed.value.content[0]).toEqual({ type: 'thinking', thinking: 'Hm.', signature: 'proxy' })
  expect(fixed.losses.map(({ rule }) => rule)).toContain('reasoning-signature')
  const computed = dialects.anthropic.encodeResponse(response, {
    reasoningSignature: (part) => `proxy-${part.text.length}`,
  })
  expect(computed.value.content[0]).toMatchObject({ signature: 'proxy-3' })
})

test('a flavor names the field in which clients of openai-chat expect reasoning', async () => {
  const { value } = dialects['openai-chat'].encodeResponse({ candidates: [answer] }, { flavor: 'openrouter' })
  expect(value.choices[0]?.message).toMatchObject({ reasoning: 'Hm.' })
  const { text: bytes } = await encodeStreamText('openai-chat', toEvents({ candidates: [answer] }), {
    flavor: 'groq',
  })
  expect(bytes).toContain('"reasoning":"Hm."')
})

describe('the policy of requests', () => {
  const request = {
    model: 'm',
    messages: [user('Look'), answer, system('Be brief'), user([image('https://example.com/a.png'), 'Again'])],
  }

  test.each(subjects)('describes what $name cannot express by default, or omits it', ({ dialect }) => {
    expect(JSON.stringify(dialect.encodeRequest(request).value)).toContain('search ran with')
    const omitted = dialect.encodeRequest(request, { unsupported: { hostedTools: 'drop' } })
    expect(JSON.stringify(omitted.value)).not.toContain('search ran with')
    expect(omitted.losses.map(({ rule }) => rule)).toContain('dropped-provider-call')
  })

  test.each(['anthropic', 'gemini'] as const)('decides about later system text for %s', (name) => {
    expect(JSON.stringify(dialects[name].encodeRequest(request).value)).toContain('<system>')
    const { value, losses } = dialects[name].encodeRequest(request, { unsupported: { systemText: 'drop' } })
    expect(JSON.stringify(value)).not.toContain('Be brief')
    expect(losses).toContainEqual(expect.objectContaining({ rule: 'later-system', path: '/messages/2' }))
    const refuse = (): unknown =>
      dialects[name].encodeRequest(request, { unsupported: { systemText: 'reject' } })
    expect(refuse).toThrow(expect.objectContaining({ code: 'loss-refused', path: '/messages/2' }))
  })

  test.each([
    [{ unsupported: { media: 'describe' } }, '/unsupported/media'],
    [{ unsupported: { medias: 'drop' } }, '/unsupported/medias'],
    [{ unsupported: 'drop' }, '/unsupported'],
    [{ foreignReasoning: 'keep' }, '/foreignReasoning'],
  ])('refuses %j', (options, path) => {
    const encode = (): unknown => dialects.anthropic.encodeRequest(request, options as EncodeOptions)
    expect(encode).toThrow(expect.objectContaining({ path }))
  })
})
