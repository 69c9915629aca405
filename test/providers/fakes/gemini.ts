import { type FakeWire, FAKE_TEXT, sse, USAGE } from './wire.ts'

const usageMetadata = {
  promptTokenCount: USAGE.inputTokens,
  candidatesTokenCount: USAGE.outputTokens,
  totalTokenCount: USAGE.inputTokens + USAGE.outputTokens,
}
const about = { modelVersion: 'fake-1-2026', responseId: 'resp-1' }

const words: { readonly [status: number]: string } = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

const failure = (code: number, message: string): object => ({
  error: { code, message, ...(words[code] !== undefined && { status: words[code] }) },
})

function chunk(text: string, finishReason?: string): string {
  const content = { role: 'model', parts: [{ text }] }
  const candidate = { content, index: 0, ...(finishReason !== undefined && { finishReason }) }
  return sse({ candidates: [candidate], usageMetadata, ...about })
}

/** Google's Gemini API, and Vertex with a key, which differ only in their paths. */
export function gemini(models: string): FakeWire {
  return {
    path: (model, stream) => `${models}/${model}:${stream ? 'streamGenerateContent' : 'generateContent'}`,
    whole: {
      candidates: [
        { content: { role: 'model', parts: [{ text: FAKE_TEXT }] }, finishReason: 'STOP', index: 0 },
      ],
      usageMetadata,
      ...about,
    },
    events: [chunk('Hello '), chunk('there.'), chunk('', 'STOP')],
    streamType: 'text/event-stream',
    isStream: ({ path }) => path.endsWith(':streamGenerateContent'),
    error: failure,
    overflow: [
      400,
      failure(400, 'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).'),
    ],
    errorEvent: sse(failure(503, 'The model is overloaded.')),
  }
}
