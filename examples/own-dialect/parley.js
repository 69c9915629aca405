// @ts-check
// The dialect of a made-up wire format. A request of it:
//
//   { "engine": "parley-1", "brief": "Be brief.", "heat": 0.5, "live": true,
//     "turns": [{ "by": "human", "say": [{ "kind": "words", "words": "Hi" }] }] }
//
// A response is one turn of the bot; a stream has the events open, block, more, close and end.
import {
  createBlockCodec,
  createSseFraming,
  defineDialect,
  directSetting,
  readMedia,
  readReasoning,
  readText,
  readTool,
  readToolCall,
  readToolResult,
  valueChecks,
} from 'interlingua/dialects/kit'

/** @type {import('interlingua/dialects/kit').BlockTable} */
const parts = {
  text: {
    type: 'words',
    isStreamed: true,
    decode: ({ words }) => readText(words),
    encode: ({ text }) => ({ words: text }),
  },
  reasoning: {
    type: 'thought',
    isStreamed: true,
    decode: ({ words }) => readReasoning(words),
    encode: ({ text }) => ({ words: text }),
  },
  image: {
    type: 'picture',
    decode: ({ url, base64, mime }) => readMedia('image', { url, data: base64, mediaType: mime }),
    encode({ source }) {
      if (source.kind === 'url') return { url: source.url }
      return source.kind === 'base64' ? { base64: source.data, mime: source.mediaType } : undefined
    },
  },
  'tool-call': {
    type: 'use',
    isStreamed: true,
    decode: ({ id, tool, with: input }) => readToolCall(id, tool, input),
    encode: (call, { writeArguments }) => ({ id: call.id, tool: call.name, with: writeArguments(call) }),
  },
  'tool-result': {
    type: 'used',
    fields: ['isError'],
    decode: ({ id, gave, failed }) => readToolResult(id, gave, failed),
    encode: ({ callId, content, isError }, { writeText }) => ({
      id: callId,
      gave: writeText(content),
      ...(isError && { failed: true }),
    }),
  },
}

/** @type {import('interlingua/dialects/kit').BlockStream} */
const stream = {
  framing: createSseFraming(),
  read(event, reader) {
    switch (event['event']) {
      case 'open':
        return reader.start(event)
      case 'block':
        return reader.openBlock(event['at'], event['block'])
      case 'more':
        return reader.addPiece(event['at'], event['piece'])
      case 'close':
        return reader.closeBlock(event['at'])
      case 'end':
        return reader.finish(event)
      default:
        return []
    }
  },
  writeStart: (fields) => ({ event: 'open', ...fields }),
  writeBlock: (at, block) => ({ event: 'block', at, block }),
  writePiece: (at, piece) => ({ event: 'more', at, piece }),
  writeBlockEnd: (at) => ({ event: 'close', at }),
  writeFinish: (fields) => ({ event: 'end', ...fields }),
}

export const parleyDialect = defineDialect(
  createBlockCodec({
    name: 'parley',
    endpoint: '/parley/turns',
    request: {
      model: 'engine',
      messages: 'turns',
      system: 'brief',
      tools: 'tools',
      settings: {
        maxOutputTokens: directSetting('limit', valueChecks.integer),
        temperature: directSetting('heat', valueChecks.number),
        stop: directSetting('hush', valueChecks.strings),
        stream: directSetting('live', valueChecks.boolean),
      },
    },
    message: {
      role: 'by',
      content: 'say',
      roles: [
        ['human', 'user'],
        ['bot', 'assistant'],
        ['tool', 'tool'],
      ],
    },
    blocks: { type: 'kind', parts },
    tool: {
      decode: ({ tool, about, takes }) => readTool(tool, about, takes),
      encode: ({ name, description, input }) => ({ tool: name, about: description, takes: input }),
    },
    response: { id: 'id', model: 'engine', content: 'say', finish: 'why', usage: 'spent' },
    finishReasons: [
      ['done', 'stop'],
      ['full', 'length'],
      ['tools', 'tool-calls'],
      ['refused', 'content-filter'],
    ],
    usage: { inputTokens: 'in', outputTokens: 'out' },
    stream,
  }),
)
