// @ts-check

/**
 * The keys of a response body.
 *
 * @type {import('interlingua/dialects/kit').BlockResponse}
 */
export const response = {
  // TODO: the keys of the provider
  id: 'id',
  model: 'model',
  content: 'content',
  finish: 'finish_reason',
  usage: 'usage',
}

/**
 * The finish reasons of the provider, and what they mean. The first row of a meaning is the one that is written.
 *
 * @type {import('interlingua/dialects/kit').BlockFormat['finishReasons']}
 */
export const finishReasons = [
  // TODO: the finish reasons of the provider
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['content_filter', 'content-filter'],
]

/**
 * The keys of the token counts.
 *
 * @type {import('interlingua/dialects/kit').UsageKeys}
 */
export const usage = { inputTokens: 'input_tokens', outputTokens: 'output_tokens' } // TODO: the keys
