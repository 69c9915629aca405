// @ts-check
import {
  readMedia,
  readReasoning,
  readText,
  readTool,
  readToolCall,
  readToolResult,
} from 'interlingua/dialects/kit'

/** The keys of a message, and the names of the roles. */
export const message = {
  role: 'role',
  content: 'content',
  /** @type {import('interlingua/dialects/kit').BlockFormat['message']['roles']} */
  roles: [
    // TODO: the roles of the provider; tool results are in user messages if no row names 'tool'
    ['user', 'user'],
    ['assistant', 'assistant'],
    ['tool', 'tool'],
  ],
}

/**
 * One row for each kind of content: how it is read from a block, and written as one. What a row does not read is kept
 * unchanged; a kind of content without a row is sent as text, or omitted with a loss.
 *
 * @type {import('interlingua/dialects/kit').BlockTable}
 */
const parts = {
  // TODO: the blocks of the provider
  text: {
    type: 'text',
    isStreamed: true,
    decode: ({ text }) => readText(text),
    encode: ({ text }) => ({ text }),
  },
  reasoning: {
    type: 'reasoning',
    isStreamed: true,
    decode: ({ text }) => readReasoning(text),
    encode: ({ text }) => ({ text }),
  },
  image: {
    type: 'image',
    decode: ({ url, data, media_type: mediaType }) => readMedia('image', { url, data, mediaType }),
    encode: ({ source }) => {
      if (source.kind === 'url') return { url: source.url }
      return source.kind === 'base64' ? { data: source.data, media_type: source.mediaType } : undefined
    },
  },
  'tool-call': {
    type: 'tool_call',
    isStreamed: true,
    decode: ({ id, name, arguments: input }) => readToolCall(id, name, input),
    encode: (call, { writeArguments }) => ({ id: call.id, name: call.name, arguments: writeArguments(call) }),
  },
  'tool-result': {
    type: 'tool_result',
    fields: ['isError'],
    decode: ({ id, output, failed }) => readToolResult(id, output, failed),
    encode: ({ callId, content, isError }, { writeText }) => ({
      id: callId,
      output: writeText(content),
      ...(isError && { failed: true }),
    }),
  },
}

/** The key of the type of a block, and the blocks. */
export const blocks = { type: 'type', parts }

/**
 * How a tool is declared.
 *
 * @type {NonNullable<import('interlingua/dialects/kit').BlockFormat['tool']>}
 */
export const tool = {
  // TODO: the declaration of a tool
  decode: ({ name, description, parameters }) => readTool(name, description, parameters),
  encode: ({ name, description, input }) => ({ name, description, parameters: input }),
}
