import type { AssistantMessage, AssistantPart, ChatResponse, Finish, Usage } from 'interlingua'
import { attachSignature } from 'interlingua/content'
import { call, NOW, PNG } from './golden-source.ts'

/** A canonical response, from which a case is built. */
export interface ResponseSource {
  readonly name: string
  readonly description: string
  readonly response: ChatResponse
}

const USAGE: Usage = { inputTokens: 20, outputTokens: 9, totalTokens: 29 }

const candidate = (finish: Finish, content: readonly AssistantPart[], id = 'msg_1'): AssistantMessage => ({
  id,
  role: 'assistant',
  content,
  finish,
})

function source(
  name: string,
  description: string,
  finish: Finish,
  content: readonly AssistantPart[],
  usage: Usage = USAGE,
): ResponseSource {
  const response: ChatResponse = {
    id: 'resp_1',
    model: 'model-1',
    createdAt: new Date(NOW).toISOString(),
    candidates: [candidate(finish, content)],
    usage,
  }
  return { name, description, response }
}

const text = (value: string): AssistantPart => ({ type: 'text', text: value })
const thought = (value: string, vendor: string, token: string): AssistantPart =>
  attachSignature({ type: 'reasoning', text: value }, { vendor, value: token })

/** Responses with every kind of content, and with every reason to finish. */
export const responseSources: readonly ResponseSource[] = [
  source('text', 'A text.', { reason: 'stop' }, [text('Oslo is the capital of Norway. 👩‍👩‍👧')]),
  source('calls', 'A text and two parallel calls.', { reason: 'tool-calls' }, [
    text('Let me look.'),
    call('call_1', 'get_weather', { city: 'Oslo', days: [1, 2], deep: { a: null } }),
    call('call_2', 'get_time', {}),
  ]),
  source('invalid-call', 'A call whose arguments are not JSON.', { reason: 'length' }, [
    { type: 'tool-call', id: 'call_1', name: 'get_weather', invalidArguments: '{"city": "Os' },
  ]),
  source(
    'reasoning',
    'Reasoning with a signature of Anthropic, and all counters of tokens.',
    { reason: 'stop' },
    [thought('17 times 23 is 391.', 'anthropic', 'EqQBCgIYAhIM'), text('391.')],
    {
      inputTokens: 120,
      outputTokens: 40,
      totalTokens: 160,
      cachedInputTokens: 64,
      cacheWriteTokens: 16,
      reasoningTokens: 30,
    },
  ),
  source(
    'reasoning-then-calls',
    'Reasoning of two vendors, text and a call, interleaved.',
    { reason: 'tool-calls' },
    [
      thought('First the time.', 'openai', 'gAAAAABo'),
      call('call_1', 'get_time', {}),
      { type: 'reasoning', text: 'Then the weather.', summary: true },
      text('One moment.'),
      attachSignature(call('call_2', 'get_weather', { city: 'Rome' }), {
        vendor: 'google',
        value: 'CswBAXLI',
      }),
    ],
  ),
  source('redacted', 'Redacted reasoning.', { reason: 'stop' }, [
    attachSignature(
      { type: 'reasoning', text: '', redacted: true },
      { vendor: 'anthropic', value: 'EmwKAhgBEgy3va' },
    ),
    text('Yes.'),
  ]),
  source('refusal', 'A refusal.', { reason: 'refusal' }, [
    { type: 'refusal', text: 'I do not want to do that.' },
  ]),
  source('citations', 'A text with citations.', { reason: 'stop' }, [
    {
      type: 'text',
      text: 'Oslo has a harbour.',
      citations: [
        {
          type: 'source',
          url: 'https://example.org/oslo',
          title: 'Oslo',
          quote: 'a harbour',
          start: 9,
          end: 18,
        },
      ],
    },
    text(' Rome has none.'),
  ]),
  source('media', 'An image and an audio with its transcript.', { reason: 'stop' }, [
    text('Here.'),
    { type: 'image', source: { kind: 'base64', data: PNG, mediaType: 'image/png' } },
    {
      type: 'audio',
      source: { kind: 'base64', data: 'UklGRiQAAABXQVZF', mediaType: 'audio/wav' },
      transcript: 'Hello.',
    },
  ]),
  source('provider-executed', 'A search that the provider ran.', { reason: 'stop' }, [
    {
      type: 'tool-call',
      id: 'srvtoolu_1',
      name: 'web_search',
      arguments: { query: 'Oslo' },
      executedBy: 'provider',
    },
    {
      type: 'tool-result',
      callId: 'srvtoolu_1',
      name: 'web_search',
      content: [{ type: 'json', value: [{ title: 'Oslo', url: 'https://example.org/oslo' }] }],
    },
    text('Oslo is in Norway.'),
  ]),
  source('opaque', 'Content that only one dialect knows.', { reason: 'stop' }, [
    text('See:'),
    { type: 'opaque', dialect: 'anthropic', value: { type: 'new_block', size: 3 } },
  ]),
  source('stop-sequence', 'A stop sequence ended the text.', { reason: 'stop', stopSequence: 'END' }, [
    text('1, 2, '),
  ]),
  source('length', 'The limit of tokens ended the text.', { reason: 'length' }, [text('Once upon a')]),
  source('content-filter', 'A filter ended the text.', { reason: 'content-filter' }, [text('Well')]),
  source('pause', 'The turn continues later.', { reason: 'pause' }, [text('Searching')]),
  source('error', 'The provider failed during the answer.', { reason: 'error' }, [text('Half an ans')]),
  source('aborted', 'The caller cancelled the answer.', { reason: 'aborted' }, [text('Half')]),
  source('other', 'A reason that only its provider knows.', { reason: 'other', raw: 'new_reason' }, [
    text('Done.'),
  ]),
  source('empty', 'No content.', { reason: 'stop' }, []),
  {
    name: 'candidates',
    description: 'Two candidates.',
    response: {
      id: 'resp_1',
      model: 'model-1',
      createdAt: new Date(NOW).toISOString(),
      candidates: [
        candidate({ reason: 'stop' }, [text('Heads.')]),
        candidate({ reason: 'length' }, [text('Tai')], 'msg_2'),
      ],
      usage: USAGE,
    },
  },
]
