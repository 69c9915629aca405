// @ts-check
// Fits one request to models that accept different things: reasoning as an effort, a level or a budget, output limits, and
// settings that some models refuse. Nothing is sent.
import { dialects, summarizeLosses, user } from 'interlingua'
import { findModelFamily } from 'interlingua/models'

for (const name of [
  'us.anthropic.claude-haiku-4-5-20251001-v1:0',
  'openai/gpt-5.2',
  'gemini-2.5-pro',
  'my-model',
]) {
  const { vendor, maxOutputTokens, efforts } = findModelFamily(name) ?? {}
  console.log(name, vendor, maxOutputTokens, efforts)
}

const request = { messages: [user('Hi')], reasoning: { effort: /** @type {const} */ ('medium') } }

const opus = dialects.anthropic.encodeRequest({ ...request, model: 'claude-opus-4-8' }).value
console.log(opus.thinking, opus.output_config, opus.max_tokens)

const haiku = dialects.anthropic.encodeRequest({ ...request, model: 'claude-haiku-4-5' }).value
console.log(haiku.thinking, haiku.output_config, haiku.max_tokens)

const flash = dialects.gemini.encodeRequest({
  ...request,
  model: 'gemini-2.5-flash',
  maxOutputTokens: 128_000,
})
console.log(flash.value.generationConfig)
console.log(flash.losses.map(({ rule, path, severity }) => `${severity} ${rule} ${path}`))

const gpt = dialects['openai-chat'].encodeRequest({ ...request, model: 'gpt-4.1', temperature: 0.2 })
console.log(gpt.value)
console.log(summarizeLosses(gpt.losses))

/* prints:
us.anthropic.claude-haiku-4-5-20251001-v1:0 anthropic 64000 []
openai/gpt-5.2 openai 128000 [ 'none', 'low', 'medium', 'high', 'xhigh' ]
gemini-2.5-pro google 65536 []
my-model undefined undefined undefined
{ type: 'adaptive' } { effort: 'medium' } 128000
{ type: 'enabled', budget_tokens: 8192 } undefined 64000
{ maxOutputTokens: 65536, thinkingConfig: { thinkingBudget: 8192 } }
[
  'note model-output-limit /maxOutputTokens',
  'note reasoning-as-budget /reasoning/effort'
]
{
  model: 'gpt-4.1',
  temperature: 0.2,
  messages: [ { role: 'user', content: 'Hi' } ]
}
1 loss
loss  1 × model-setting at /reasoning/effort: `reasoning.effort` is not supported by this model of openai-chat; it was omitted.
*/
