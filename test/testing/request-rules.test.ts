import type { DialectName, JsonObject } from 'interlingua'
import { findRequestProblems, requestRules } from 'interlingua/testing/providers'
import { describe, expect, test } from 'vitest'
import { bedrockRefusals } from './bedrock-refusals.ts'
import { cohereRefusals } from './cohere-refusals.ts'
import { geminiRefusals } from './gemini-refusals.ts'
import { interactionsRefusals } from './interactions-refusals.ts'
import { mistralRefusals } from './mistral-refusals.ts'

const text = (words: string): JsonObject => ({ type: 'text', text: words })
const user = (...content: readonly JsonObject[]): JsonObject => ({ role: 'user', content })
const answer = (...content: readonly JsonObject[]): JsonObject => ({ role: 'assistant', content })
const use = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'f', input: {} })
const result = (id: string): JsonObject => ({ type: 'tool_result', tool_use_id: id })
const marked = { ...text('Hi'), cache_control: { type: 'ephemeral' } }
const anthropicTool = (fields: JsonObject): JsonObject => ({
  messages: [user(text('Hi'))],
  tools: [{ name: 'f', input_schema: { type: 'object' }, ...fields }],
})
const emptyImage = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } }

const chatCall = (id: string): JsonObject => {
  return { id, type: 'function', function: { name: 'f', arguments: '{}' } }
}
const called = (...ids: readonly string[]): JsonObject => {
  return { role: 'assistant', content: null, tool_calls: ids.map(chatCall) }
}
const toolMessage = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: 'x' })
const chatPart = (part: JsonObject): JsonObject => ({ messages: [{ role: 'user', content: [part] }] })
const chatFunction = (fields: JsonObject): JsonObject => ({
  tools: [{ type: 'function', function: { name: 'f', ...fields } }],
})

const item = (id: string): JsonObject => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' })
const output = (id: string): JsonObject => ({ type: 'function_call_output', call_id: id, output: 'x' })

/** Bodies that break each rule, by dialect. */
const refusedBodies: {
  readonly [dialect in DialectName]: { readonly [rule: string]: readonly JsonObject[] }
} = {
  anthropic: {
    messages: [{ messages: [] }],
    'user-first': [{ messages: [answer(text('Hi'))] }],
    'calls-have-results': [{ messages: [user(text('Hi')), answer(use('a'), use('b')), user(result('a'))] }],
    'results-have-calls': [{ messages: [user(result('a'))] }],
    'one-result-per-call': [{ messages: [answer(use('a')), user(result('a'), result('a'))] }],
    'results-first': [{ messages: [answer(use('a'), use('b')), user(result('a'), text('x'), result('b'))] }],
    'unique-call-ids': [
      { messages: [answer(use('a')), user(result('a')), answer(use('a')), user(result('a'))] },
    ],
    'call-id-characters': [{ messages: [answer(use('a.b')), user(result('a.b'))] }],
    'text-not-blank': [{ messages: [user(text(' '))] }, { messages: [user(text(''))] }],
    'content-in-messages': [{ messages: [{ role: 'user', content: '' }] }],
    'documents-from-user': [{ messages: [user(text('a')), answer({ type: 'document' })] }],
    'filled-sources': [{ messages: [user(emptyImage)] }],
    'errors-have-content': [{ messages: [answer(use('a')), user({ ...result('a'), is_error: true })] }],
    'no-trailing-space': [{ messages: [user(text('a')), answer(text('b '))] }],
    'thinking-starts-tool-loop': [
      {
        model: 'claude-sonnet-4-5',
        thinking: { type: 'enabled', budget_tokens: 2000 },
        messages: [user(text('a')), answer(use('a')), user(result('a'))],
      },
    ],
    'cache-markers': [{ messages: [user(marked, marked, marked, marked, marked)] }],
    'thinking-budget': [
      { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 2000 } },
      { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 100 } },
    ],
    'thinking-without-forced-tools': [{ thinking: { type: 'enabled' }, tool_choice: { type: 'any' } }],
    'tool-choice-needs-tools': [{ tool_choice: { type: 'any' } }],
    'unique-tool-names': [{ tools: [{ name: 'f' }, { name: 'f' }] }],
    'tool-names': [anthropicTool({ name: 'a.b' })],
    'schema-without-root-union': [anthropicTool({ input_schema: { type: 'object', anyOf: [{}] } })],
    'schema-property-names': [anthropicTool({ input_schema: { type: 'object', properties: { $top: {} } } })],
    'user-id': [{ metadata: { user_id: 'x'.repeat(257) } }, { metadata: { user_id: 'me@example.org' } }],
    'model-thinking': [
      { model: 'claude-sonnet-4-5', thinking: { type: 'adaptive' } },
      { model: 'claude-opus-5-5', thinking: { type: 'disabled' } },
    ],
    'model-effort': [
      { model: 'claude-haiku-4-5', output_config: { effort: 'high' } },
      { model: 'claude-opus-4-6', output_config: { effort: 'xhigh' } },
      { model: 'claude-opus-5', thinking: { type: 'disabled' }, output_config: { effort: 'max' } },
    ],
    'model-output-limit': [{ model: 'claude-haiku-4-5', max_tokens: 128_000 }],
    'model-sampling': [
      { model: 'claude-opus-4-7', temperature: 0.5 },
      { model: 'claude-sonnet-4-5', temperature: 0.5, top_p: 0.5 },
    ],
    'model-forced-tools': [{ model: 'claude-fable-5-1', tool_choice: { type: 'any' } }],
    'model-prefill': [{ model: 'claude-opus-4-6', messages: [user(text('a')), answer(text('b'))] }],
    'model-system-messages': [
      { model: 'claude-haiku-4-5', messages: [user(text('a')), { role: 'system', content: 'b' }] },
    ],
    'model-output-schema': [{ model: 'claude-sonnet-4', output_config: { format: { type: 'json_schema' } } }],
  },
  gemini: geminiRefusals,
  ollama: {
    'model-media': [
      { model: 'gpt-oss:20b', messages: [{ role: 'user', content: 'Look', images: ['aGk='] }] },
    ],
  },
  'openai-chat': {
    messages: [{ messages: [] }],
    'calls-have-results': [
      { messages: [called('a', 'b'), toolMessage('a'), { role: 'user', content: 'Hi' }, toolMessage('b')] },
    ],
    'results-have-calls': [{ messages: [{ role: 'user', content: 'Hi' }, toolMessage('a')] }],
    'call-id-length': [{ messages: [called('x'.repeat(41)), toolMessage('x'.repeat(41))] }],
    'content-in-messages': [
      { messages: [{ role: 'assistant', content: null }] },
      { messages: [{ role: 'user', content: [] }] },
    ],
    'image-formats': [chatPart({ type: 'image_url', image_url: { url: 'data:image/svg+xml;base64,AA==' } })],
    'file-names': [chatPart({ type: 'file', file: { file_data: 'data:application/pdf;base64,AA==' } })],
    'stop-sequences': [{ stop: ['a', 'b', 'c', 'd', 'e'] }],
    'stream-options-need-stream': [{ stream_options: { include_usage: true } }],
    'tool-names': [chatFunction({ name: 'a.b' }), chatFunction({ name: 'x'.repeat(65) })],
    'tool-choice-needs-tools': [{ tool_choice: 'auto', tools: [] }, { parallel_tool_calls: true }],
    'function-schemas': [
      chatFunction({ parameters: { type: 'object' } }),
      chatFunction({ parameters: { type: 'object', properties: { a: { type: 'array' } } } }),
      chatFunction({ parameters: { anyOf: [{ type: 'object' }] } }),
    ],
    'user-id-length': [{ user: 'x'.repeat(65) }],
    'metadata-limits': [{ metadata: { ['k'.repeat(65)]: '' } }, { metadata: { k: 'x'.repeat(513) } }],
    'model-effort': [
      { model: 'gpt-4.1', reasoning_effort: 'high' },
      { model: 'gpt-5.6', reasoning_effort: 'minimal' },
    ],
    'model-settings': [
      { model: 'gpt-5.2', temperature: 0.5, reasoning_effort: 'low' },
      { model: 'gpt-5', max_tokens: 9 },
    ],
    'model-output-limit': [{ model: 'gpt-4o', max_completion_tokens: 100_000 }],
    'model-cache-markers': [
      {
        model: 'gpt-5.2',
        messages: [{ role: 'user', content: [{ ...text('a'), prompt_cache_breakpoint: {} }] }],
      },
    ],
    'model-output-schema': [{ model: 'gpt-4', response_format: { type: 'json_schema' } }],
    'model-chat-tools': [{ model: 'gpt-6-sol', ...chatFunction({}) }],
    'model-media': [
      { model: 'o3-mini', ...chatPart({ type: 'image_url', image_url: { url: 'https://a.b/c' } }) },
    ],
  },
  'openai-responses': {
    'calls-have-results': [{ input: [item('a')] }],
    'results-have-calls': [{ input: [output('a')] }, { input: [output('a'), item('a')] }],
    'unique-call-ids': [
      { input: [item('a'), output('a'), item('a')] },
      { input: [item('a'), output('a'), output('a')] },
    ],
    'call-id-length': [{ input: [item('x'.repeat(65)), output('x'.repeat(65))] }],
    'reasoning-has-follower': [
      {
        input: [
          { type: 'reasoning', id: 'rs_1' },
          { role: 'user', content: 'Hi' },
        ],
      },
    ],
    'item-id-prefixes': [{ input: [{ type: 'reasoning', id: 'msg_1' }, item('a'), output('a')] }],
    'call-names': [{ input: [{ ...item('a'), name: 'a.b' }, output('a')] }],
    'tool-names': [{ tools: [{ type: 'function', name: 'a.b' }] }],
    'tool-choice-needs-tools': [{ tool_choice: 'required' }],
    'function-schemas': [{ tools: [{ type: 'function', name: 'f', parameters: { type: 'object' } }] }],
    'user-id-length': [{ safety_identifier: 'x'.repeat(65) }],
    'metadata-limits': [
      { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, ''])) },
    ],
    'model-effort': [
      { model: 'gpt-4.1', reasoning: { effort: 'high' } },
      { model: 'gpt-5.6', reasoning: { effort: 'minimal' } },
    ],
    'model-settings': [
      { model: 'gpt-5.2', temperature: 0.5, reasoning: { effort: 'low' } },
      { model: 'gpt-5', top_p: 0.5 },
    ],
    'model-output-limit': [{ model: 'gpt-4o', max_output_tokens: 100_000 }],
    'model-cache-markers': [
      {
        model: 'gpt-5.2',
        input: [{ role: 'user', content: [{ type: 'input_text', text: 'a', prompt_cache_breakpoint: {} }] }],
      },
    ],
    'model-output-schema': [{ model: 'gpt-4', text: { format: { type: 'json_schema' } } }],
    'model-media': [
      { model: 'gpt-oss-120b', input: [user({ type: 'input_image', image_url: 'https://a.b/c' })] },
      {
        model: 'o3-mini',
        input: [{ ...output('a'), output: [{ type: 'input_image', image_url: 'https://a.b/c' }] }],
      },
    ],
  },
  mistral: mistralRefusals,
  'gemini-interactions': interactionsRefusals,
  bedrock: bedrockRefusals,
  cohere: cohereRefusals,
}

describe.each(Object.keys(requestRules) as DialectName[])('the rules of %s', (dialect) => {
  const bodies = refusedBodies[dialect]

  test('each has a body that breaks it', () => {
    expect(Object.keys(bodies)).toEqual(requestRules[dialect].map(({ id }) => id))
  })

  test.each(Object.entries(bodies))('%s', (rule, refused) => {
    for (const body of refused)
      expect(findRequestProblems(dialect, body).map((problem) => problem.rule)).toContain(rule)
  })

  test('half of a surrogate pair', () => {
    expect(findRequestProblems(dialect, { a: 'x\ud83d' })).toMatchObject([{ rule: 'well-formed-text' }])
    expect(findRequestProblems(dialect, { a: '\\ud83d' }).map(({ rule }) => rule)).not.toContain(
      'well-formed-text',
    )
  })
})

test('a refusal has the words of the provider', () => {
  const body = {
    model: 'gpt-4.1',
    messages: [{ role: 'user', content: 'Hi' }],
    temprature: 1,
    temperature: 'a',
  }
  expect(findRequestProblems('openai-chat', body)).toMatchObject([
    {
      path: '/temperature',
      message: "Invalid type for 'temperature': expected number, but got string instead.",
    },
    { path: '/temprature', message: "Unknown parameter: 'temprature'.", code: 'unknown_parameter' },
  ])
  expect(
    findRequestProblems('anthropic', { model: 'm', messages: [user({ type: 'text' })], foo: 1 }),
  ).toMatchObject([
    { path: '/max_tokens', message: 'max_tokens: Field required' },
    { path: '/messages/0/content/0/text', message: 'messages.0.content.0.text: Field required' },
    { path: '/foo', message: 'foo: Extra inputs are not permitted' },
    {},
  ])
  expect(
    findRequestProblems('gemini', { contents: [{ role: 'user', parts: [{ texto: 'a' }] }] }),
  ).toMatchObject([
    {
      message:
        'Invalid JSON payload received. Unknown name "texto" at \'contents[0].parts[0]\': Cannot find field.',
    },
  ])
  expect(() => findRequestProblems('gemini', [])).toThrow(expect.objectContaining({ code: 'invalid-type' }))
})

test('a tool choice may refer to tools that a message adds', () => {
  const definition = { type: 'tool_definition', definition: { name: 'f', input_schema: { type: 'object' } } }
  const findRules = (tool: JsonObject): readonly string[] =>
    findRequestProblems('anthropic', {
      tool_choice: { type: 'any' },
      messages: [user(text('Hi')), { role: 'system', content: [{ type: 'tool_addition', tool }] }],
    }).map(({ rule }) => rule)
  expect(findRules(definition)).not.toContain('tool-choice-needs-tools')
  expect(findRules({ type: 'tool_reference', name: 'f' })).toContain('tool-choice-needs-tools')
})

test('fields that Codex sends to OpenAI are accepted, misspelled ones are not', () => {
  const body = (field: string, metadata: string): JsonObject => ({
    model: 'gpt-5.5',
    input: 'Hi',
    tools: [{ type: 'web_search', [field]: ['text', 'image'] }],
    [metadata]: { originator: 'codex' },
  })
  expect(findRequestProblems('openai-responses', body('search_content_types', 'client_metadata'))).toEqual([])
  const paths = findRequestProblems('openai-responses', body('search_contents', 'client_meta')).map(
    ({ path }) => path,
  )
  expect(paths).toEqual(['/tools/0/search_contents', '/client_meta'])
})
