import type { JsonObject } from 'interlingua'

/** Messages as the libraries write them, with the texts and the names of the calls that they contain. */
export const recordedMessages: {
  readonly [title: string]: {
    readonly messages: readonly JsonObject[]
    readonly texts: readonly string[]
    readonly calls: readonly string[]
  }
} = {
  '@langchain/core 1.2.13, toDict': {
    messages: [
      { type: 'human', data: { content: 'x', additional_kwargs: {}, response_metadata: {} } },
      {
        type: 'ai',
        data: {
          content: 'hi',
          tool_calls: [{ id: 'c1', name: 'w', args: { a: 1 } }],
          usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
          invalid_tool_calls: [],
          additional_kwargs: {},
          response_metadata: {},
        },
      },
      {
        type: 'tool',
        data: {
          content: 'x',
          tool_call_id: 'c1',
          status: 'error',
          additional_kwargs: {},
          response_metadata: {},
        },
      },
    ],
    texts: ['x', 'hi', 'x'],
    calls: ['w'],
  },
  '@langchain/core 1.2.13, toJSON': {
    messages: [
      {
        lc: 1,
        type: 'constructor',
        id: ['langchain_core', 'messages', 'AIMessage'],
        kwargs: {
          content: 'hi',
          tool_calls: [{ id: 'c1', name: 'w', args: { a: 1 } }],
          usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
          invalid_tool_calls: [],
          additional_kwargs: {},
          response_metadata: {},
        },
      },
    ],
    texts: ['hi'],
    calls: ['w'],
  },
}
