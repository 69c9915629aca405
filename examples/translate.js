// @ts-check
// Translates an OpenAI request for Anthropic and back, and lists the losses and notes.
import { dialects, translateRequest } from 'interlingua'

const body = {
  model: 'some-model',
  seed: 7,
  max_completion_tokens: 100,
  brand_new_setting: true,
  messages: [
    { role: 'developer', content: 'Answer in one sentence.' },
    { role: 'user', content: 'How warm is it in Oslo?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city": "Oslo"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '4 °C' },
  ],
}

const { value, losses } = translateRequest(body, { from: 'openai-chat', to: 'anthropic' })
console.log(JSON.stringify(value.messages))
for (const { severity, rule, path } of losses) console.log(severity, rule, 'at', path)

// In the same dialect nothing is lost, not even unknown fields, and edits are applied.
const request = dialects['openai-chat'].decodeRequest(body).value
const again = dialects['openai-chat'].encodeRequest({ ...request, maxOutputTokens: 200 })
console.log(
  JSON.stringify({ ...again.value, messages: again.value.messages.length }),
  again.losses.length,
  'losses',
)

/* prints:
[{"role":"user","content":[{"type":"text","text":"How warm is it in Oslo?"}]},{"role":"assistant","content":[{"type":"tool_use","id":"call_1","name":"weather","input":{"city":"Oslo"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":[{"type":"text","text":"4 °C"}]}]}]
loss foreign-residue at /extra/openai-chat/brand_new_setting
loss no-field at /seed
note developer-role at /messages/0/role
{"model":"some-model","max_completion_tokens":200,"seed":7,"messages":4,"brand_new_setting":true} 0 losses
*/
