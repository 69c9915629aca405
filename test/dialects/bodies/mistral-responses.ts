import type { JsonObject } from 'interlingua'
import { text } from './shared.ts'

const usage = {
  prompt_tokens: 20,
  completion_tokens: 30,
  total_tokens: 50,
  prompt_tokens_details: { cached_tokens: 4 },
}
const choice = (message: JsonObject, fields: JsonObject = {}): JsonObject => ({
  index: 0,
  message: { role: 'assistant', content: '', tool_calls: null, ...message },
  finish_reason: 'stop',
  ...fields,
})
const answer = (choices: readonly JsonObject[], fields: JsonObject = {}): JsonObject => ({
  id: '0a6e16070048404cbabdb8fc772f5d17',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'mistral-of-tomorrow',
  choices,
  usage,
  ...fields,
})
const call = {
  id: 'aB3dE5gH7',
  type: 'function',
  function: { name: 'weather', arguments: '{"city": "Oslo"}' },
  index: 0,
}
const thinking = (words: string): JsonObject => ({ type: 'thinking', thinking: [text(words)], closed: true })

/** Handwritten responses, following the public documentation. */
export const responses: { readonly [name: string]: JsonObject } = {
  plain: answer([choice({ content: 'Hello to you' })]),
  calls: answer([
    choice(
      {
        content: 'Let me look',
        tool_calls: [
          call,
          { id: 'Zx9Yw8Vu7', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
        ],
      },
      { finish_reason: 'tool_calls' },
    ),
  ]),
  thoughts: answer([choice({ content: [thinking('An easy sum'), text('It is 4')] })]),
  signed: answer([
    choice({ content: [{ ...thinking('A hard sum'), signature: 'c2lnbmVk' }, text('It is 4711')] }),
  ]),
  cited: answer([
    choice({
      content: [
        text('It snows a lot in Oslo'),
        { type: 'reference', reference_ids: [0, 'snow'] },
        text('and it rains'),
        { type: 'reference', reference_ids: [1] },
        { type: 'reference', reference_ids: [2] },
      ],
    }),
  ]),
  several: answer([
    choice({ content: 'The first answer' }),
    choice({ content: 'The second answer' }, { index: 1, finish_reason: 'length' }),
  ]),
  cut: answer([choice({ content: 'Up to here' }, { finish_reason: 'model_length' })]),
  failed: answer([choice({ content: 'Up to' }, { finish_reason: 'error' })]),
  counted: answer([choice({ content: 'Hello' })], {
    usage: {
      prompt_tokens: 20,
      completion_tokens: 30,
      total_tokens: 50,
      prompt_audio_seconds: 3,
      num_cached_tokens: 4,
      completion_tokens_details: { reasoning_tokens: 9 },
      service_tier: 'standard',
    },
  }),
}

/** Responses in older, rare and invalid forms. */
export const oddResponses: { readonly [name: string]: JsonObject } = {
  old: answer([choice({ content: 'Hi' }, { logprobs: null })], {
    usage: {
      prompt_tokens: 7,
      total_tokens: 19,
      completion_tokens: 12,
      prompt_token_details: { cached_tokens: 0 },
    },
  }),
  stopped: answer([
    choice({ tool_calls: [{ id: 'aB3dE5gH7', function: { name: 'weather', arguments: {} } }] }),
  ]),
  bare: { choices: [{ message: { content: null } }] },
  messages: answer([{ index: 0, finish_reason: 'stop', messages: [{ role: 'assistant', content: 'Hi' }] }]),
  chunks: answer([
    choice({
      content: [
        { type: 'thinking', thinking: [text('Open'), text('-ended')] },
        {
          type: 'thinking',
          thinking: [text('From a tool'), { type: 'tool_reference', tool: 'web_search', title: 'Snow' }],
        },
        { type: 'tool_file', tool: 'image_generation', file_id: 'a-file' },
        { type: 'reference', reference_ids: [7] },
        text(''),
      ],
    }),
  ]),
  empty: answer([]),
  unfinished: answer([choice({ content: [] }, { finish_reason: null })]),
  inventive: answer([choice({ content: 'Hi' }, { finish_reason: 'bored' })]),
}
