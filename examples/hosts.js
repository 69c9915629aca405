// @ts-check
// Sends one request to several hosts of the same wire format: each gets the fields that it accepts. Nothing is sent over the
// network: `fetch` prints the request. A real call needs only the key of the host, such as NEBIUS_API_KEY.
import { user } from 'interlingua'
import { model } from 'interlingua/providers'

const request = {
  messages: [user('What colour is the sky?')],
  maxOutputTokens: 100,
  temperature: 1.4,
  seed: 7,
  topK: 40,
  reasoning: { enabled: false },
}

const answer = { id: '1', object: 'chat.completion', created: 0, model: 'm', choices: [] }
/** @type {typeof fetch} */
const printFetch = async (url, init) => {
  const { model: _model, messages: _messages, ...settings } = JSON.parse(/** @type {string} */ (init?.body))
  console.log(new URL(/** @type {string} */ (url)).host, settings)
  const message = { role: 'assistant', content: 'Blue.' }
  return Response.json({ ...answer, choices: [{ index: 0, finish_reason: 'stop', message }] })
}

const options = { apiKey: 'a-key', fetch: printFetch }
for (const name of ['nebius:qwen3', 'moonshot:kimi-k2.6', 'qwen:qwen-plus', 'sambanova:gpt-oss-120b']) {
  const { losses } = await model(name, options).generate(request)
  console.log('  not sent as requested:', losses.map(({ path }) => path).join(' ') || 'nothing')
}

/* prints:
api.tokenfactory.nebius.com {
  max_completion_tokens: 100,
  temperature: 1.4,
  seed: 7,
  stream: false,
  reasoning_effort: 'none'
}
  not sent as requested: /reasoning/enabled /topK
api.moonshot.ai {
  max_completion_tokens: 100,
  temperature: 1,
  seed: 7,
  stream: false,
  thinking: { type: 'disabled' }
}
  not sent as requested: /topK /temperature
dashscope-intl.aliyuncs.com {
  max_tokens: 100,
  temperature: 1.4,
  seed: 7,
  stream: false,
  top_k: 40,
  enable_thinking: false
}
  not sent as requested: nothing
api.sambanova.ai {
  max_completion_tokens: 100,
  temperature: 1.4,
  stream: false,
  top_k: 40,
  reasoning_effort: 'low'
}
  not sent as requested: /reasoning/enabled /seed
*/
