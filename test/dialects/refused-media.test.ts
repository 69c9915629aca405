import {
  assistant,
  audio,
  type ChatRequest,
  dialects,
  type DialectName,
  type EncodeOptions,
  file,
  image,
  type JsonObject,
  type MediaPart,
  toolCall,
  toolResult,
  toolResults,
  user,
  video,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { again, expectSame } from '../law-assertions.ts'
import { subjects } from './dialect-table.ts'

const names = subjects.map(({ name }) => name)
const openaiNames = ['openai-chat', 'openai-responses'] as const

function send(
  name: DialectName,
  part: MediaPart,
  options: EncodeOptions = {},
): { readonly text: string; readonly losses: readonly string[] } {
  const request: ChatRequest = {
    model: 'm',
    maxOutputTokens: 99,
    stream: false,
    messages: [user([part, 'Look.'])],
  }
  const { value, losses } = dialects[name].encodeRequest(request, options)
  return { text: JSON.stringify(value), losses: losses.map(({ rule, path }) => `${rule} ${path}`) }
}

const empties: readonly MediaPart[] = [
  { type: 'image', source: { kind: 'base64', data: '', mediaType: 'image/png' } },
  { type: 'image', source: { kind: 'url', url: '' } },
  { type: 'file', source: { kind: 'base64', data: '', mediaType: 'application/pdf' } },
  { type: 'image', source: { kind: 'url', url: 'data:image/png;base64,' } },
]

describe.each(names)('%s: media without data', (name) => {
  test.each(empties)('%j is described, not sent', (part) => {
    const { text, losses } = send(name, part)
    expect(text).toContain(`[${part.type}`)
    expect(text).not.toMatch(/base64,"|"data":""|"url":""/)
    expect(losses).toContain('unsupported-media /messages/0/content/0')
  })
})

const svg = 'PHN2Zz48Y2lyY2xlLz48L3N2Zz4='

describe.each([...openaiNames, 'anthropic'] as const)('%s: images of other types', (name) => {
  test.each(['image/svg+xml', 'image/tiff', 'image/heic', 'image/heif', 'image/bmp', 'image/avif'])(
    '%s is described, whether as data or at an address',
    (mediaType) => {
      const { text, losses } = send(name, image({ data: svg, mediaType }))
      expect(text).toContain(mediaType === 'image/svg+xml' ? '<svg><circle/></svg>' : `[image, ${mediaType}]`)
      expect(text).not.toContain(svg)
      expect(losses).toContain('unsupported-media /messages/0/content/0')
    },
  )

  test.each(['image/png', 'image/jpeg', 'image/jpg', 'image/gif', 'image/webp'])(
    '%s is sent',
    (mediaType) => {
      expect(send(name, image({ data: 'AAAA', mediaType })).text).toContain('AAAA')
    },
  )

  test.each(['gs://bucket/a.png', 's3://bucket/a.png', 'file:///a.png', 'ftp://example.org/a.png'])(
    '%s is described: only web addresses are downloaded',
    (url) => {
      const { text, losses } = send(name, { type: 'image', source: { kind: 'url', url } })
      expect(text).toContain(`[image, ${url}]`)
      expect(losses).toContain('unsupported-media /messages/0/content/0')
    },
  )
})

describe.each(openaiNames)('%s', (name) => {
  test('an image address with the extension of another type is described', () => {
    expect(send(name, image('https://example.org/logo.svg?v=1')).losses).toHaveLength(1)
    expect(send(name, image('https://example.org/logo.svg/640px.png')).losses).toEqual([])
    expect(send(name, image('https://example.org/logo')).losses).toEqual([])
  })

  test.each([
    ['application/pdf', 'file.pdf'],
    ['text/csv; charset=utf-8', 'file.csv'],
    ['application/x-unknown', 'file.bin'],
  ])('a file of type %s without a name gets the name %s', (mediaType, filename) => {
    const { text, losses } = send(name, file({ data: 'AAAA', mediaType }))
    expect(text).toContain(`"filename":"${filename}"`)
    expect(losses).toContain('file-named /messages/0/content/0/name')
    expect(send(name, file({ data: 'AAAA', mediaType }, { name: 'a.b' })).text).toContain('"filename":"a.b"')
  })

  test('received media are sent as received, and other formats understand them', () => {
    const parts =
      name === 'openai-chat'
        ? [
            { type: 'image_url', image_url: { url: `data:image/svg+xml;base64,${svg}` } },
            { type: 'image_url', image_url: { url: 'gs://bucket/a.png' } },
            { type: 'image_url', image_url: { url: '' } },
            { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA' } },
          ]
        : [
            { type: 'input_image', detail: 'auto', image_url: `data:image/svg+xml;base64,${svg}` },
            { type: 'input_image', detail: 'auto', image_url: 'gs://bucket/a.png' },
            { type: 'input_image', detail: 'auto', image_url: '' },
            { type: 'input_file', file_data: 'data:application/pdf;base64,AAAA' },
          ]
    const key = name === 'openai-chat' ? 'messages' : 'input'
    const body: JsonObject = { model: 'm', [key]: [{ role: 'user', content: parts }] }
    const request = dialects[name].decodeRequest(body).value
    expectSame(again(dialects[name].encodeRequest(request)), { value: body, losses: [] })
    expectSame(again(dialects[name].encodeRequest(again(request) as ChatRequest).value), body)
    expect(JSON.stringify(dialects.gemini.encodeRequest(request).value)).toContain(svg)
    expect(JSON.stringify(dialects.anthropic.encodeRequest(request).value)).toContain('AAAA')
  })
})

describe('Vertex AI', () => {
  const vertex = { flavor: 'vertex' } as const

  test.each([
    [file('https://example.org/a/report.pdf?sig=x.png'), 'application/pdf'],
    [image('https://example.org/cat.PNG#top'), 'image/png'],
    [video('gs://bucket/clip.mov'), 'video/quicktime'],
    [audio('gs://bucket/talk'), 'audio/mpeg'],
    [image('https://example.org/cat'), 'image/jpeg'],
  ])('%# gets a media type from its address', (part, mimeType) => {
    const { text, losses } = send('gemini', part, vertex)
    expect(text).toContain(`"fileData":{"mimeType":"${mimeType}"`)
    expect(losses).toContain('media-type-derived /messages/0/content/0/mediaType')
  })

  test('a known media type is kept, and the Gemini API gets none that is unknown', () => {
    const part = image('https://example.org/cat.png', { mediaType: 'image/webp' })
    expect(send('gemini', part, vertex)).toMatchObject({ losses: [] })
    expect(send('gemini', part, vertex).text).toContain('"mimeType":"image/webp"')
    expect(send('gemini', image('https://example.org/cat.png')).text).not.toContain('mimeType')
  })

  test('an address of Cloud Storage is sent to Vertex AI only', () => {
    const part = file('gs://bucket/report.pdf', { mediaType: 'application/pdf' })
    expect(send('gemini', part, vertex).text).toContain('"fileUri":"gs://bucket/report.pdf"')
    expect(send('gemini', part).losses).toContain('unsupported-media /messages/0/content/0')
  })
})

describe('parallel calls without tools', () => {
  const request: ChatRequest = { model: 'm', messages: [user('Hi')], parallelToolCalls: false }

  test('are not requested from openai-chat', () => {
    const { value, losses } = dialects['openai-chat'].encodeRequest(request)
    expect(value).not.toHaveProperty('parallel_tool_calls')
    expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      'choice-without-tools /parallelToolCalls',
    ])
  })

  test('stay in a received body', () => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], parallel_tool_calls: false }
    const decoded = dialects['openai-chat'].decodeRequest(body).value
    expectSame(again(dialects['openai-chat'].encodeRequest(decoded)), { value: body, losses: [] })
  })
})

describe.each(names)('%s: media that the model refuses', (name) => {
  const dialect = dialects[name]
  const capabilities = { refusedMedia: ['image', 'audio', 'video'] } as const
  const shown = image({ data: 'aGk=', mediaType: 'image/png' }, { name: 'plot' })
  const call = toolCall({ id: 'call_1', name: 'draw', arguments: {} })
  const request: ChatRequest = {
    model: 'm',
    maxOutputTokens: 99,
    messages: [
      user(['Compare.', shown, 'Briefly.']),
      assistant([call]),
      toolResults([toolResult(call, ['Done', shown])]),
    ],
  }
  const paths = ['/messages/0/content/1', '/messages/2/content/0/content/1']
  const encode = (options: EncodeOptions): readonly [string, readonly string[]] => {
    const { value, losses } = dialect.encodeRequest(request, { capabilities, ...options })
    return [JSON.stringify(value), losses.map(({ rule, path }) => `${rule} ${path}`)]
  }

  test('is described in its place, in messages and in results', () => {
    const [body, losses] = encode({})
    expect(body).not.toContain('aGk=')
    expect(body.match(/\[image, plot, image\/png\]/g)).toHaveLength(2)
    for (const path of paths) expect(losses).toContain(`model-media ${path}`)
    expectSame(JSON.parse(dialect.encodeRequestText(request, { capabilities }).value), JSON.parse(body))
  })

  test('is omitted if the caller prefers that, and the paths after it stay', () => {
    const [body, losses] = encode({ unsupported: { media: 'drop' } })
    expect(body).not.toContain('plot')
    for (const path of paths) expect(losses).toContain(`dropped-media ${path}`)
  })

  test('only the kinds that it refuses are described', () => {
    const [body] = encode({ capabilities: { refusedMedia: ['audio', 'video'] } })
    expect(body).toContain('aGk=')
  })
})

test('the screenshot of a computer stays: its item can contain nothing else', () => {
  const output = { type: 'computer_screenshot', image_url: 'https://e.com/a.png' }
  const body = {
    model: 'computer-use-preview',
    input: [
      {
        type: 'computer_call',
        id: 'cu_1',
        call_id: 'c',
        action: { type: 'wait' },
        pending_safety_checks: [],
        status: 'completed',
      },
      { type: 'computer_call_output', call_id: 'c', output },
    ],
  }
  const request = dialects['openai-responses'].decodeRequest(body).value
  const { value } = dialects['openai-responses'].encodeRequest(request, { model: 'o3-mini' })
  expect(JSON.stringify(value)).toContain(JSON.stringify(output))
})

test('an image whose address is a string is an image', () => {
  const url = 'https://e.com/a.png'
  const body = {
    model: 'gpt-4o',
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: url }] }],
  }
  const request = dialects['openai-chat'].decodeRequest(body).value
  expect(request.messages).toMatchObject([{ content: [{ type: 'image', source: { kind: 'url', url } }] }])
  expectSame(dialects['openai-chat'].encodeRequest(request).value, body)
  const { value } = dialects.anthropic.encodeRequest(request, { model: 'claude-sonnet-5' })
  expect(JSON.stringify(value)).toContain(JSON.stringify({ type: 'image', source: { type: 'url', url } }))
})

describe('a request that was received with media for a model without them', () => {
  const url = 'https://e.com/a.png'
  const body = {
    model: 'gpt-oss-120b',
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
  }

  test('is exact for the same model, and adjusted for another one without them', () => {
    const request = dialects['openai-chat'].decodeRequest(body).value
    expectSame(dialects['openai-chat'].encodeRequest(request).value, body)
    const { value, losses } = dialects['openai-chat'].encodeRequest(request, { model: 'deepseek-chat' })
    expect(JSON.stringify(value)).toContain(`[image, ${url}]`)
    expect(losses.map(({ rule }) => rule)).toContain('model-media')
  })
})
