import type { DialectName, Json, JsonObject } from 'interlingua'

/** A body that is built in a size. */
export interface KnownBody {
  readonly name: string
  readonly direction: 'request' | 'response'
  readonly build: (size: number) => JsonObject
}

const times = (size: number, build: (at: number) => Json): readonly Json[] =>
  Array.from({ length: size }, (_, at) => build(at))

const text = (size: number): string => 'wörd '.repeat(size)
const user = { role: 'user', parts: [{ text: 'Hi' }] }
const named = (fields: JsonObject): JsonObject => ({ model: 'm', max_tokens: 9, ...fields })

/** Bodies whose time was quadratic or more once, by dialect. */
export const knownBodies: { readonly [dialect in DialectName]?: readonly KnownBody[] } = {
  gemini: [
    {
      name: 'empty declarations',
      direction: 'request',
      build: (size) => ({ contents: [user], tools: [{ functionDeclarations: times(size, () => ({})) }] }),
    },
    {
      name: 'calls without ids that are answered in reverse',
      direction: 'request',
      build: (size) => ({
        contents: [
          user,
          { role: 'model', parts: times(size, (at) => ({ functionCall: { name: `f${at}`, args: {} } })) },
          {
            role: 'user',
            parts: times(size, (at) => ({ functionResponse: { name: `f${size - 1 - at}`, response: {} } })),
          },
        ],
      }),
    },
    {
      name: 'grounding supports',
      direction: 'response',
      build: (size) => ({
        candidates: [
          {
            content: { role: 'model', parts: [{ text: text(size) }] },
            groundingMetadata: {
              groundingChunks: [{ web: { uri: 'https://example.org', title: 'A' } }],
              groundingSupports: times(size, (at) => ({
                segment: { startIndex: at * 6, endIndex: at * 6 + 6, text: 'wörd ' },
                groundingChunkIndices: [0],
              })),
            },
          },
        ],
      }),
    },
  ],
  'gemini-interactions': [
    {
      name: 'annotations',
      direction: 'response',
      build: (size) => {
        const annotations = times(size, (at) => ({
          type: 'url_citation',
          url: 'https://example.org',
          start_index: at * 6,
          end_index: at * 6 + 6,
        }))
        const content = [{ type: 'text', text: text(size), annotations }]
        return { id: 'r', status: 'completed', steps: [{ type: 'model_output', content }] }
      },
    },
  ],
  ollama: [
    {
      name: 'results in reverse',
      direction: 'request',
      build: (size) => ({
        model: 'm',
        messages: [
          {
            role: 'assistant',
            content: '',
            tool_calls: times(size, (at) => ({ function: { name: `f${at}`, arguments: {} } })),
          },
          ...times(size, (at) => ({ role: 'tool', tool_name: `f${size - 1 - at}`, content: 'x' })),
        ],
      }),
    },
  ],
  'openai-chat': [
    { name: 'empty choices', direction: 'response', build: (size) => ({ choices: times(size, () => ({})) }) },
  ],
  anthropic: [
    {
      name: 'results in reverse',
      direction: 'request',
      build: (size) =>
        named({
          messages: [
            { role: 'user', content: 'Hi' },
            {
              role: 'assistant',
              content: times(size, (at) => ({ type: 'tool_use', id: `c${at}`, name: 'f', input: {} })),
            },
            {
              role: 'user',
              content: times(size, (at) => ({ type: 'tool_result', tool_use_id: `c${size - 1 - at}` })),
            },
          ],
        }),
    },
  ],
}
