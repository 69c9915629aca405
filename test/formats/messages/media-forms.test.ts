// The forms in which libraries and their providers have media: what each is read as, and that it is written as it was.
import type { Json, MediaPart, MediaSource, Message, Part } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { again, expectSame } from '../../law-assertions.ts'
import { formatRows } from './format-table.ts'

const URL = 'https://example.org/a'
const url: MediaSource = { kind: 'url', url: URL }
const png: MediaSource = { kind: 'base64', data: 'AAAA', mediaType: 'image/png' }
const wav: MediaSource = { kind: 'base64', data: 'AAAA', mediaType: 'audio/wav' }
const bytes: MediaSource = { kind: 'base64', data: 'AAAA', mediaType: 'application/octet-stream' }
const openaiFile: MediaSource = { kind: 'id', id: 'f1', provider: 'openai' }
const anthropicFile: MediaSource = { kind: 'id', id: 'f1', provider: 'anthropic' }
const plainText: MediaSource = { kind: 'text', text: 'a text' }
const sources = [url, png, wav, openaiFile, anthropicFile, plainText]

/** The blocks of a user message of LangChain, and their media: the forms of `MEDIA_FORMS`. Blocks of another shape are kept. */
const langchainBlocks: readonly (readonly [block: Json, media: Partial<MediaPart> | undefined])[] = [
  [
    { type: 'image', source_type: 'url', url: URL, mime_type: 'image/png' },
    { type: 'image', source: url, mediaType: 'image/png' },
  ],
  [{ type: 'image', source_type: 'url' }, undefined],
  [
    { type: 'image', source_type: 'base64', data: 'AAAA', mime_type: 'image/png' },
    { type: 'image', source: png },
  ],
  [
    { type: 'audio', source_type: 'base64', data: 'AAAA' },
    { type: 'audio', source: bytes },
  ],
  [{ type: 'image', source_type: 'base64', data: 5 }, undefined],
  [
    { type: 'file', source_type: 'text', text: 'a text' },
    { type: 'file', source: plainText },
  ],
  [
    { type: 'text', source_type: 'text', text: 'a text' },
    { type: 'file', source: plainText },
  ],
  [{ type: 'file', source_type: 'text' }, undefined],
  [
    { type: 'file', source_type: 'id', id: 'f1' },
    { type: 'file', source: openaiFile },
  ],
  [
    { type: 'file', source_type: 'id', id: 'f1', metadata: { provider: 'anthropic' } },
    { type: 'file', source: anthropicFile },
  ],
  [{ type: 'file', source_type: 'id', id: '' }, undefined],
  [{ type: 'file', source_type: 'id' }, undefined],
  [{ type: 'file', source_type: 'later', id: 'f1' }, undefined],
  [{ type: 'hologram', source_type: 'url', url: URL }, undefined],
  [
    { type: 'image_url', image_url: URL },
    { type: 'image', source: url },
  ],
  [
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
    { type: 'image', source: png, detail: 'low' },
  ],
  [{ type: 'image_url', image_url: 5 }, undefined],
  [{ type: 'image_url', image_url: {} }, undefined],
  [
    { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
    { type: 'audio', source: wav },
  ],
  [
    { type: 'input_audio', input_audio: { data: 'AAAA', format: 'opus' } },
    { type: 'audio', source: { ...wav, mediaType: 'audio/opus' } },
  ],
  [{ type: 'input_audio', input_audio: {} }, undefined],
  [
    { type: 'file', file: { file_data: 'data:image/png;base64,AAAA', filename: 'a.png' } },
    { type: 'file', source: png, name: 'a.png' },
  ],
  [
    { type: 'file', file: { file_data: URL } },
    { type: 'file', source: url },
  ],
  [
    { type: 'file', file: { file_id: 'f1' } },
    { type: 'file', source: openaiFile },
  ],
  [{ type: 'file', file: { filename: 'a.png' } }, undefined],
  [
    { type: 'image', source: { type: 'url', url: URL } },
    { type: 'image', source: url },
  ],
  [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
    { type: 'image', source: png },
  ],
  [
    { type: 'document', source: { type: 'base64', data: 'AAAA' } },
    { type: 'file', source: bytes },
  ],
  [
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a text' } },
    { type: 'file', source: plainText },
  ],
  [
    { type: 'document', source: { type: 'file', file_id: 'f1' } },
    { type: 'file', source: anthropicFile },
  ],
  [{ type: 'document', source: { type: 'file', file_id: '' } }, undefined],
  [{ type: 'document', source: 'later' }, undefined],
  [
    { type: 'image', base64: 'AAAA', mime_type: 'image/png' },
    { type: 'image', source: png },
  ],
  [
    { type: 'image', url: URL, mime_type: 'image/png' },
    { type: 'image', source: url, mediaType: 'image/png' },
  ],
  [
    { type: 'file', file_id: 'f1' },
    { type: 'file', source: openaiFile },
  ],
  [{ type: 'file', file_id: 5 }, undefined],
  [
    { type: 'video', data: 'AAAA', mimeType: 'image/png' },
    { type: 'video', source: png },
  ],
  [
    { type: 'video', url: URL },
    { type: 'video', source: url },
  ],
  [
    { type: 'file', fileId: 'f1', mimeType: 'image/png' },
    { type: 'file', source: openaiFile, mediaType: 'image/png' },
  ],
  [
    { type: 'text-plain', text: 'a text' },
    { type: 'file', source: plainText },
  ],
  [
    { type: 'text-plain', text: 'a text', mime_type: 'text/markdown' },
    { type: 'file', source: plainText, mediaType: 'text/markdown' },
  ],
  [{ type: 'text-plain' }, undefined],
]

/** The items of a result of the AI SDK; those of version 6 and later versions have references. */
const aiSdkItems: typeof langchainBlocks = [
  [
    { type: 'image-data', data: 'AAAA', mediaType: 'image/png' },
    { type: 'image', source: png },
  ],
  [
    { type: 'media', data: 'AAAA', mediaType: 'audio/wav' },
    { type: 'audio', source: wav },
  ],
  [
    { type: 'file-data', data: 'AAAA', mediaType: 'image/png', filename: 'a.png' },
    { type: 'image', source: png, name: 'a.png' },
  ],
  [
    { type: 'image-url', url: URL },
    { type: 'image', source: url },
  ],
  [
    { type: 'file-url', url: URL },
    { type: 'file', source: url },
  ],
  [{ type: 'file-url' }, undefined],
  [
    { type: 'file-id', fileId: 'f1' },
    { type: 'file', source: openaiFile },
  ],
  [
    { type: 'image-file-id', fileId: { anthropic: 'f1' } },
    { type: 'image', source: anthropicFile },
  ],
  [
    { type: 'file-reference', providerReference: { anthropic: 'f1' } },
    { type: 'file', source: anthropicFile },
  ],
  [{ type: 'file-id', fileId: '' }, undefined],
  [{ type: 'hologram', data: 'AAAA' }, undefined],
]

/** The content of a user message of the OpenAI Agents SDK. */
const agentsBlocks: typeof langchainBlocks = [
  [
    { type: 'input_image', image: URL, detail: 'low' },
    { type: 'image', source: url, detail: 'low' },
  ],
  [
    { type: 'input_image', image: 'data:image/png;base64,AAAA' },
    { type: 'image', source: png },
  ],
  [
    { type: 'input_image', image: { id: 'f1' } },
    { type: 'image', source: openaiFile },
  ],
  [
    { type: 'input_file', file: { url: URL }, filename: 'a.pdf' },
    { type: 'file', source: url, name: 'a.pdf' },
  ],
  [
    { type: 'input_file', file: 'data:video/mp4;base64,AAAA' },
    { type: 'video', source: { ...png, mediaType: 'video/mp4' } },
  ],
  [
    { type: 'audio', audio: 'AAAA', format: 'wav', transcript: 'Hi' },
    { type: 'audio', source: wav, transcript: 'Hi' },
  ],
  [
    { type: 'audio', audio: 'AAAA', format: 'opus' },
    { type: 'audio', source: { ...wav, mediaType: 'audio/opus' } },
  ],
  [{ type: 'hologram', image: URL }, undefined],
]

interface MediaTable {
  readonly name: string
  readonly rows: typeof langchainBlocks
  readonly wrap: (block: Json) => Json
}

const tables: readonly MediaTable[] = [
  {
    name: 'langchain',
    rows: langchainBlocks,
    wrap: (block) => ({ type: 'human', data: { content: [block] } }),
  },
  {
    name: 'ai-sdk-model-messages',
    rows: aiSdkItems,
    wrap: (block) => ({
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'c', toolName: 't', output: { type: 'content', value: [block] } },
      ],
    }),
  },
  { name: 'openai-agents', rows: agentsBlocks, wrap: (block) => ({ role: 'user', content: [block] }) },
]

/** Applies a function to the only part of a message, or of its only result. */
function changePart(message: Message, change: (part: Part) => Part): Message {
  const [part] = message.content as readonly Part[]
  if (part === undefined) throw new Error('no part')
  const changed = part.type === 'tool-result' ? { ...part, content: part.content.map(change) } : change(part)
  return { ...message, content: [changed] } as Message
}

/** Returns true for data whose media type the type of the part can have. */
function fits(source: MediaSource, media: Partial<MediaPart> | undefined): boolean {
  return source.kind !== 'base64' || source === (media?.type === 'audio' ? wav : png)
}

function readPart(message: Message | undefined): Part | undefined {
  const part = message?.content[0]
  return part?.type === 'tool-result' ? part.content[0] : part
}

describe.each(tables)('$name', ({ name, rows, wrap }) => {
  const { format } = formatRows.find((row) => row.name === name) ?? {}
  if (format === undefined) throw new Error(`no format ${name}`)
  const cases = rows.map(([block, media]) => ({ block, media, text: JSON.stringify(block) }))

  test.each(cases)('$text', ({ block, media }) => {
    const { value, losses } = format.fromMessages([wrap(block)])
    if (media === undefined) expect(['opaque', 'text']).toContain(readPart(value[0])?.type)
    else expect(readPart(value[0])).toMatchObject(media)
    expect(losses).toEqual([])
    expectSame(again(format.toMessages(value).value), [again(wrap(block))])
  })

  test.each(cases.filter(({ media }) => media !== undefined))(
    'other media in place of $text',
    ({ block, media }) => {
      const [message] = format.fromMessages([wrap(block)]).value
      for (const source of sources.filter((each) => fits(each, media))) {
        const changed = changePart(message as Message, (part) => ({ ...part, source }) as Part)
        const { value, losses } = format.toMessages([changed])
        const back = readPart(format.fromMessages(again(value)).value[0])
        if (losses.length === 0) expect(back).toMatchObject({ source })
      }
    },
  )
})
