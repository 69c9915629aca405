import {
  assistant,
  type ChatRequest,
  dialects,
  type EncodeOptions,
  file,
  image,
  type JsonObject,
  type Message,
  sameContent,
  system,
  text,
  textOf,
  toolCall,
  toolResult,
  toolResults,
  translateRequest,
  user,
} from 'interlingua'
import { withExtra } from 'interlingua/content'
import { describe, expect, test, vi } from 'vitest'
import { anyRequest } from '../arbitraries.ts'
import { again, expectSame, law } from '../law-assertions.ts'
import { lines, subjects } from './dialect-table.ts'
import { bare, leavesOf, mapLeaves, setOf } from './json-leaves.ts'

const { anthropic, 'openai-chat': chat } = dialects

const asked = (...messages: readonly Message[]): ChatRequest => ({
  model: 'm',
  maxOutputTokens: 99,
  stream: false,
  messages,
})
/** The first bytes of an image; some formats detect the media type from them. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUg=='
const words = (said: string): JsonObject => ({ type: 'text', text: said })

describe('[r204] every wire format is a dialect of the same interface', () => {
  const interfaces = subjects.map(({ dialect }) =>
    Object.entries(dialect).map(([key, value]) => `${key} ${typeof value}`),
  )

  test.each(subjects)('$name has all members of the interface, and its own name', ({ name, dialect }) => {
    expect(dialect.name).toBe(name)
    expect(dialects[name]).toBe(dialect)
    expect(Object.entries(dialect).map(([key, value]) => `${key} ${typeof value}`)).toEqual(interfaces[0])
    expect(Object.keys(dialect)).toEqual(
      expect.arrayContaining(['decodeRequest', 'encodeStream', 'encodeError']),
    )
  })
})

describe.each(subjects)('$name sends nothing that is not part of its format', ({ name, dialect }) => {
  /** Fields of the application and of the library, which are never sent. */
  const unsent: ReadonlySet<string | number> = setOf('metadata usage origin createdAt parentId')

  test('[r205] [r8] neither usage nor metadata nor ids of messages', () => {
    law(anyRequest, (request) => {
      let next = 0
      const marked = (messages: readonly Message[]): unknown =>
        mapLeaves(messages, (leaf, at) => {
          const ours = at.some((key) => unsent.has(key)) || (at.at(-1) === 'id' && at.length === 2)
          return ours && typeof leaf === 'string' ? `unsent${(next += 1)}` : leaf
        })
      const messages = marked(bare([...request.messages])) as readonly Message[]
      expect(JSON.stringify(dialect.encodeRequest({ ...bare(request), messages }).value)).not.toMatch(
        /unsent\d/,
      )
    })
  })

  test('[r20] [C30] of `extra`, only its own slot', () => {
    const slots = [...subjects.map((each) => each.name), 'unknown', 'made-up']
    const full = slots.reduce(
      (message, slot) => withExtra(message, slot, { note: `for ${slot}` }),
      user('Hi') as Message,
    )
    const { value, losses } = dialect.encodeRequest(asked(full))
    const said = leavesOf(value).flatMap((leaf) =>
      String(leaf.value).startsWith('for ') ? [leaf.value] : [],
    )
    expect(said).toEqual([`for ${name}`])
    expect(losses.map(({ rule, path }) => `${rule} ${path}`).toSorted()).toEqual(
      slots
        .filter((slot) => slot !== name)
        .map((slot) => `foreign-residue /messages/0/extra/${slot}/note`)
        .toSorted(),
    )
  })

  test('[r63] the model of the options, else of the request; tools and system text only if present', () => {
    const plain: JsonObject = dialect.encodeRequest(asked(user('Hi'))).value
    for (const key of ['tools', 'toolConfig', 'tool_choice', 'system', 'systemInstruction', 'instructions'])
      expect(plain).not.toHaveProperty(key)
    const { model: _, ...unnamed } = asked(user('Hi'))
    const sent = (request: ChatRequest, options: EncodeOptions): string =>
      JSON.stringify([dialect.encodeRequest(request, options).value, dialect.endpoint(request, options)])
    expect(sent(unnamed, { model: 'chosen' })).toContain('chosen')
    expect(sent({ ...unnamed, model: 'asked' }, { model: 'chosen' })).not.toContain('asked')
    const tools = [{ type: 'function', name: 'weather', input: { type: 'object' } }] as const
    const withTools = dialect.encodeRequest({ ...asked(user('Hi')), tools }).value
    expect(withTools).toHaveProperty(name === 'bedrock' ? 'toolConfig' : 'tools')
  })

  test('[r70] encoding, sending and decoding return the same conversation', () => {
    // An id that every provider accepts.
    const call = toolCall({ id: 'aB3dE5gH7', name: 'weather', arguments: { city: 'Oslo' } })
    const conversation = [
      system('Be brief.'),
      user([image({ data: PIXEL, mediaType: 'image/png' }), text('What is this?')]),
      // Cohere accepts no text beside calls: it becomes the tool plan, which is reasoning.
      assistant(name === 'cohere' ? [call] : [text('Let me see'), call]),
      toolResults([nameless(toolResult(call, 'Snow'))]),
      assistant('Snow.'),
    ]
    const request = asked(...conversation)
    const sent = JSON.parse(JSON.stringify(dialect.encodeRequest(request).value)) as unknown
    const back = dialect.decodeRequest(sent, { path: dialect.endpoint(request).path }).value
    expect([back.model, back.maxOutputTokens]).toEqual(['m', 99])
    const messages = [...back.messages]
    expect(messages.map(({ role }) => role)).toEqual(conversation.map(({ role }) => role))
    for (const [index, message] of messages.entries())
      expect(sameContent(plain(message), conversation[index] ?? message), textOf(message)).toBe(true)
  })
})

/** Fields that some formats add by default: the tool name of a result, and the detail of an image. */
const defaultFields: ReadonlySet<string> = new Set(['detail', 'name'])

function plain(message: Message): Message {
  const content = bare(message).content.map((part) =>
    Object.fromEntries(
      Object.entries(part).filter(([key]) => part.type === 'tool-call' || !defaultFields.has(key)),
    ),
  )
  return { ...bare(message), content } as unknown as Message
}

function nameless(result: ReturnType<typeof toolResult>): ReturnType<typeof toolResult> {
  const { name: _, ...rest } = result
  return rest
}

describe.each(lines)('[r32] $name is a pure function', ({ subject, codec }) => {
  test('same input, same output, without network, clock or randomness, and the input is not changed', () => {
    const forbidden = (): never => {
      throw new Error('a dialect asked for something from outside')
    }
    vi.stubGlobal('fetch', forbidden)
    const spies = [
      vi.spyOn(Math, 'random').mockImplementation(forbidden),
      vi.spyOn(Date, 'now').mockImplementation(forbidden),
    ]
    const identity = { newId: (prefix: string) => `${prefix}_1`, now: () => 0 }
    const { dialect } = subject
    try {
      for (const { body } of subject.fixtures[codec.direction]) {
        const before = structuredClone(body)
        const decode = (): unknown =>
          codec.direction === 'request'
            ? dialect.decodeRequest(body, identity).value
            : dialect.decodeResponse(body, identity).value
        const value = decode()
        expectSame(again(decode()), again(value))
        const kept = again(value)
        expectSame(codec.encode(subject, value), codec.encode(subject, value))
        expectSame(again(value), kept)
        expectSame(body, before)
      }
    } finally {
      for (const spy of spies) spy.mockRestore()
      vi.unstubAllGlobals()
    }
  })
})

describe('system text', () => {
  const spoken = [system('Be brief.'), user('Hi'), assistant('Hello'), system('In German'), user('Go on')]

  test('[C6] [r34] is hoisted from the start of the conversation by a dialect that requires it, and stays in place if it comes later', () => {
    const { value, losses } = anthropic.encodeRequest(asked(...spoken))
    expect(value.system).toEqual([words('Be brief.')])
    expect(value.messages).toEqual([
      { role: 'user', content: [words('Hi')] },
      { role: 'assistant', content: [words('Hello')] },
      { role: 'user', content: [words('<system>\nIn German\n</system>'), words('Go on')] },
    ])
    expect(losses.map(({ rule, path, severity }) => `${severity} ${rule} ${path}`)).toEqual([
      'note system-in-place /messages/3',
    ])
  })

  test('[C6] [r34] stays among the messages if the dialect has system messages', () => {
    const { value, losses } = chat.encodeRequest(asked(...spoken))
    expect(value.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'system', content: 'In German' },
      { role: 'user', content: 'Go on' },
    ])
    expect(losses).toEqual([])
  })

  test('[C6] is sent back in the position in which it was received', () => {
    const body = {
      model: 'm',
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'system', content: 'In German' },
        { role: 'assistant', content: 'Hallo' },
      ],
    }
    expect(anthropic.encodeRequest(anthropic.decodeRequest(body).value)).toEqual({ value: body, losses: [] })
  })

  test('[r213] [r216] is a message: a top-level field of one body becomes a message of another', () => {
    const body = {
      model: 'm',
      max_tokens: 9,
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'Hi' }],
    }
    const request = anthropic.decodeRequest(body).value
    expect(request).not.toHaveProperty('system')
    expect([...request.messages].map(({ role }) => role)).toEqual(['system', 'user'])
    const there = translateRequest(body, { from: 'anthropic', to: 'openai-chat' }).value
    expect(there.messages[0]).toEqual({ role: 'system', content: 'Be brief.' })
    const back = translateRequest(there, { from: 'openai-chat', to: 'anthropic' }).value
    expect(back.system).toEqual([words('Be brief.')])
  })
})

describe('media', () => {
  const picture = image({ kind: 'base64', data: 'AAAA', mediaType: 'image/png' })
  const paper = file({ kind: 'base64', data: 'JVBE', mediaType: 'application/pdf' })

  test("[r68] are encoded in each dialect's own form, and stay neutral in the conversation", () => {
    const message = user([picture, paper])
    const before = again(message)
    expect(anthropic.encodeMessage(message).value).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' } },
        ],
      },
    ])
    expect(chat.encodeMessage(message).value).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBE', filename: 'file.pdf' } },
        ],
      },
    ])
    expectSame(again(message), before)
  })

  const clip = {
    type: 'video',
    source: { kind: 'url', url: 'https://example.org/a.mp4' },
    name: 'A clip',
  } as const
  const unable = subjects.filter(({ name }) => !name.startsWith('gemini'))
  test.each(unable)(
    '[C28] content that $name does not support is described, or dropped on request, and always reported',
    ({ dialect }) => {
      const described = dialect.encodeRequest(asked(user([text('Look'), clip])))
      const dropped = dialect.encodeRequest(asked(user([text('Look'), clip])), {
        unsupported: { media: 'drop' },
      })
      expect(JSON.stringify(described.value)).toContain('[video, A clip, https://example.org/a.mp4]')
      expect(JSON.stringify(dropped.value)).not.toContain('a.mp4')
      const lossesOf = ({ losses }: typeof described): readonly string[] =>
        losses.filter(({ severity }) => severity === 'loss').map(({ rule, path }) => `${rule} ${path}`)
      expect(lossesOf(described)).toEqual(['unsupported-media /messages/0/content/1'])
      expect(lossesOf(dropped)).toEqual(['dropped-media /messages/0/content/1'])
      const refuse = (): unknown => dialect.encodeRequest(asked(user([clip])), { onLoss: 'error' })
      expect(refuse).toThrow(expect.objectContaining({ code: 'loss-refused' }) as Error)
    },
  )
})
