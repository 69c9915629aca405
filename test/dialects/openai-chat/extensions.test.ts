// Fields and parts of Chat Completions that OpenAI does not document, but clients and other hosts send.
import { accumulate, dialects, type JsonObject, type Part, text, toEvents, user } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { again, expectSame } from '../../law-assertions.ts'
import { payloads } from '../stream-payloads.ts'
import { encodeStreamText, framed, source, streamNames } from '../stream-responses.ts'
import { extensionRequests, image, pdf } from '../bodies/openai-chat-extensions.ts'

const chat = dialects['openai-chat']
const others = streamNames.filter((name) => name !== 'openai-chat')

describe('media in tool results', () => {
  const request = chat.decodeRequest(extensionRequests['resultMedia']).value

  test('is decoded like media of a user', () => {
    const parts = [...request.messages].flatMap(({ content }): readonly Part[] => content)
    expect(parts.filter(({ type }) => type === 'tool-result')).toMatchObject([
      {
        callId: 'call_1',
        content: [
          { type: 'text', text: 'A map of the city' },
          { type: 'image', source: { kind: 'base64', data: 'AAAA', mediaType: 'image/png' } },
          { type: 'file', name: 'map.pdf', source: { kind: 'base64', mediaType: 'application/pdf' } },
          { type: 'opaque' },
        ],
      },
      { callId: 'call_2', content: [] },
    ])
  })

  test.each(others)('reaches %s', (to) => {
    const { value, losses } = dialects[to].encodeRequest(request, { model: 'm' })
    const text = JSON.stringify(value)
    expect(text).toContain('A map of the city')
    expect(text).toContain('AAAA')
    expect(text).not.toContain('No result was recorded')
    expect(losses.filter(({ rule }) => rule === 'orphan-call' || rule === 'orphan-result')).toEqual([])
    expect(losses.filter(({ rule }) => rule === 'foreign-opaque')).toMatchObject([
      { path: '/messages/2/content/0/content/3' },
    ])
  })

  test('is moved to a user message if the host or an edit requires text', () => {
    const moved = [
      chat.encodeRequest(request, { flavor: 'together' }).value,
      chat.encodeRequest({
        ...request,
        messages: [...request.messages].map((message) =>
          message.role === 'tool'
            ? {
                ...message,
                content: message.content.map((part) =>
                  part.type === 'tool-result' ? { ...part, isError: true as const } : part,
                ),
              }
            : message,
        ),
      }).value,
    ]
    for (const { messages } of moved) {
      const result = messages.find((each) => each.role === 'tool') as JsonObject
      expect(result['content']).toEqual(expect.stringContaining('shown below'))
      const shown = messages
        .filter(({ role }) => role === 'user')
        .flatMap(({ content }) => content as unknown[])
      expect(shown).toEqual(expect.arrayContaining([image, pdf]))
    }
  })
})

describe('videos', () => {
  const request = chat.decodeRequest(extensionRequests['videos']).value

  test('are decoded as video parts', () => {
    expect([...request.messages][0]?.content).toMatchObject([
      { type: 'video', source: { kind: 'url', url: 'https://example.org/a.mp4' } },
      { type: 'video', source: { kind: 'base64', data: 'VVVV', mediaType: 'video/mp4' } },
      { type: 'video', source: { kind: 'url', url: 'https://example.org/b.mp4' } },
    ])
  })

  test('reach Gemini', () => {
    const { value } = dialects.gemini.encodeRequest(request)
    expect(JSON.stringify(value)).toContain('"data":"VVVV"')
    expect(JSON.stringify(value)).toContain('https://example.org/a.mp4')
  })

  test('of other formats are sent to hosts with videos, and described to OpenAI', () => {
    const source = { kind: 'base64', data: 'VVVV', mediaType: 'video/mp4' } as const
    const built = { model: 'm', messages: [user([{ type: 'video', source }])] }
    const part = { type: 'video_url', video_url: { url: 'data:video/mp4;base64,VVVV' } }
    for (const flavor of ['openrouter', 'moonshot'] as const)
      expect(chat.encodeRequest(built, { flavor }).value.messages).toEqual([
        { role: 'user', content: [part] },
      ])
    const { value, losses } = chat.encodeRequest(built)
    expect(JSON.stringify(value)).not.toContain('VVVV')
    expect(losses).toMatchObject([{ path: '/messages/0/content/0', severity: 'loss' }])
  })
})

describe('cache markers on messages and tools', () => {
  const request = chat.decodeRequest(extensionRequests['cacheMarkers']).value

  test('are those of the last part, of the result and of the tool', () => {
    const [system, asked, called, results] = [...request.messages]
    expect(system?.content).toMatchObject([{ text: 'Be brief.', cache: {} }])
    expect(asked?.content).toMatchObject([{ text: 'Look', cache: { ttl: 'long' } }])
    expect(called?.content.map((part) => part.cache)).toEqual([undefined, {}])
    expect(results?.content.map((part) => part.cache)).toEqual([{}, undefined])
    expect(request.tools).toMatchObject([{ name: 'look', cache: {} }])
  })

  test('reach Anthropic', () => {
    // Anthropic accepts four markers.
    const messages = [...request.messages].slice(0, 2)
    const { value } = dialects.anthropic.encodeRequest({ ...request, messages }, { model: 'm' })
    expect(value.system).toEqual([{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }])
    expect(value.tools).toMatchObject([{ name: 'look', cache_control: { type: 'ephemeral' } }])
    expect(JSON.stringify(value.messages)).toContain('"cache_control":{"type":"ephemeral","ttl":"1h"}')
  })

  test('follow edits', () => {
    const [system, ...others] = [...request.messages]
    const messages = system?.role === 'system' ? [{ ...system, content: [text('Be kind.')] }, ...others] : []
    expect(chat.encodeRequest({ ...request, messages }).value.messages[0]).toEqual({
      role: 'system',
      content: 'Be kind.',
    })
    expect(chat.encodeRequest(request, { flavor: 'groq' }).value.messages[0]).toEqual({
      role: 'system',
      content: 'Be brief.',
    })
  })
})

describe('images of assistant messages', () => {
  const about = { id: 'r', object: 'chat.completion', created: 0, model: 'm' }
  const message = { role: 'assistant', content: 'Here', refusal: null, annotations: [], images: [image] }
  const body = { ...about, choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }] }
  const expected = [
    { type: 'text', text: 'Here' },
    { type: 'image', source: { kind: 'base64', data: 'AAAA', mediaType: 'image/png' } },
  ]

  test('are image parts, in a response and in its stream', async () => {
    const response = chat.decodeResponse(body).value
    expect(response.candidates[0]?.content).toMatchObject(expected)
    expect(again(chat.encodeResponse(response))).toEqual({ value: body, losses: [] })
    const head = { ...about, object: 'chat.completion.chunk' }
    const chunks = [
      {
        ...head,
        choices: [{ index: 0, delta: { role: 'assistant', content: 'Here' }, finish_reason: null }],
      },
      { ...head, choices: [{ index: 0, delta: { images: [image] }, finish_reason: null }] },
      { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ]
    const sent = framed('openai-chat', chunks)
    const streamed = await accumulate(chat.decodeStream(source(sent)))
    expect(streamed.candidates[0]?.content).toMatchObject(expected)
    const { text: back, losses } = await encodeStreamText('openai-chat', chat.decodeStream(source(sent)))
    expectSame(payloads(back), chunks)
    expect(losses).toEqual([])
    const { text: planned } = await encodeStreamText('openai-chat', toEvents(response))
    expect(planned).toContain(JSON.stringify([image]))
  })

  test('are sent back to the host, and described to other hosts', () => {
    const request = chat.decodeRequest(extensionRequests['images']).value
    const openrouter = chat.encodeRequest(request, { flavor: 'openrouter' }).value.messages[1]
    expect(openrouter).toMatchObject({ images: [{ ...image, index: 0 }, image] })
    const { value, losses } = chat.encodeRequest(request, { flavor: 'azure' })
    expect(value.messages[1]).not.toHaveProperty('images')
    expect(losses.map(({ path }) => path)).toContain('/messages/1/content/1')
  })

  test('reach Gemini', () => {
    const request = chat.decodeRequest(extensionRequests['images']).value
    expect(JSON.stringify(dialects.gemini.encodeRequest(request).value)).toContain('"data":"AAAA"')
  })
})
