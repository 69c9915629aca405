import { type Captured, sends, startFake, type Act, type Fake } from './server.ts'

/** A service of a provider beside chat: its path and its response. */
export interface Service {
  readonly method: 'GET' | 'POST'
  path(model: string): string
  answer(request: Captured): unknown
}

/** The vector of a text, distinct for each. */
export function vectorOf(text: string): readonly number[] {
  return [text.length, text.codePointAt(0) ?? 0, 0.5]
}

const post = 'POST'
const inputOf = ({ body }: Captured): readonly string[] => (body as { input: string[] }).input

/** Responds in reverse order, since the order is not guaranteed. */
const openaiEmbeddings: Service = {
  method: post,
  path: () => '/embeddings',
  answer: (request) => ({
    object: 'list',
    model: 'embed-1',
    data: inputOf(request)
      .map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }))
      .toReversed(),
    usage: { prompt_tokens: inputOf(request).length, total_tokens: inputOf(request).length },
  }),
}

const geminiEmbeddings: Service = {
  method: post,
  path: (model) => `/v1beta/models/${model}:batchEmbedContents`,
  answer: ({ body }) => ({
    embeddings: (body as { requests: { content: { parts: { text: string }[] } }[] }).requests.map(
      ({ content }) => ({ values: vectorOf(content.parts[0]?.text ?? '') }),
    ),
  }),
}

const ollamaEmbeddings: Service = {
  method: post,
  path: () => '/api/embed',
  answer: (request) => ({
    model: 'embed-1',
    embeddings: inputOf(request).map(vectorOf),
    total_duration: 1,
    prompt_eval_count: inputOf(request).length,
  }),
}

const cohereEmbeddings: Service = {
  method: post,
  path: () => '/v2/embed',
  answer: ({ body }) => {
    const { texts } = body as { texts: string[] }
    return {
      id: 'e1',
      embeddings: { float: texts.map(vectorOf) },
      meta: { billed_units: { input_tokens: texts.length } },
    }
  },
}

export const embedServices: { readonly [style in 'openai' | 'gemini' | 'ollama' | 'cohere']: Service } = {
  cohere: cohereEmbeddings,
  openai: openaiEmbeddings,
  gemini: geminiEmbeddings,
  ollama: ollamaEmbeddings,
}

export const listServices: {
  readonly [style in 'openai' | 'anthropic' | 'gemini' | 'ollama' | 'cohere']: Service
} = {
  cohere: {
    method: 'GET',
    path: () => '/v1/models',
    answer: ({ query }: Captured) => {
      const first = query['page_token'] === undefined
      return {
        models: [{ name: `fake-${first ? 1 : 2}`, endpoints: ['chat'], context_length: 8192 }],
        ...(first && { next_page_token: 'page-2' }),
      }
    },
  },
  openai: {
    method: 'GET',
    path: () => '/models',
    answer: () => ({
      object: 'list',
      data: [
        { id: 'fake-1', object: 'model', created: 1_763_000_000, owned_by: 'them', context_length: 8192 },
        { id: 'fake-2', object: 'model', created: 1_763_000_000, owned_by: 'them' },
      ],
    }),
  },
  anthropic: {
    method: 'GET',
    path: () => '/v1/models',
    answer: ({ query }: Captured) => {
      const first = query['after_id'] === undefined
      const id = first ? 'fake-1' : 'fake-2'
      return {
        data: [{ type: 'model', id, display_name: 'Fake', created_at: '2026-01-01T00:00:00Z' }],
        has_more: first,
        first_id: id,
        last_id: id,
      }
    },
  },
  gemini: {
    method: 'GET',
    path: () => '/v1beta/models',
    answer: ({ query }: Captured) => {
      const first = query['pageToken'] === undefined
      return {
        models: [{ name: `models/fake-${first ? 1 : 2}`, displayName: 'Fake', inputTokenLimit: 1_048_576 }],
        ...(first && { nextPageToken: 'page-2' }),
      }
    },
  },
  ollama: {
    method: 'GET',
    path: () => '/api/tags',
    answer: () => ({
      models: [1, 2].map((number) => ({
        name: `fake-${number}`,
        model: `fake-${number}`,
        modified_at: '2026-01-01T00:00:00.5+01:00',
        size: 1,
      })),
    }),
  },
}

export const countServices: {
  readonly [style in 'anthropic' | 'bedrock' | 'openai-responses' | 'gemini' | 'vertex']: Service
} = {
  bedrock: {
    method: post,
    path: (model: string) => `/model/${model}/count-tokens`,
    answer: () => ({ inputTokens: 7 }),
  },
  anthropic: { method: post, path: () => '/v1/messages/count_tokens', answer: () => ({ input_tokens: 7 }) },
  'openai-responses': {
    method: post,
    path: () => '/responses/input_tokens',
    answer: () => ({ object: 'response.input_tokens', input_tokens: 7 }),
  },
  gemini: {
    method: post,
    path: (model: string) => `/v1beta/models/${model}:countTokens`,
    answer: () => ({ totalTokens: 7 }),
  },
  vertex: {
    method: post,
    path: (model: string) => `/publishers/google/models/${model}:countTokens`,
    answer: () => ({ totalTokens: 7 }),
  },
}

/** Starts a fake with only one service. */
export function startService(service: Service, model: string, before?: Act): Promise<Fake> {
  return startFake(async (response, request) => {
    await before?.(response, request)
    const right = request.method === service.method && request.path === service.path(model)
    const answer = right ? sends(service.answer(request)) : sends({ error: { message: 'Not here' } }, 404)
    await answer(response, request)
  })
}
