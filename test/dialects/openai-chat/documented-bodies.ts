// Bodies in the form of the documentation of each host, shortened. The pages are named beside the rows of the flavors.
import type { JsonObject } from 'interlingua'
import type { OpenAIChatFlavorName } from '../../../src/dialects/openai-chat/flavors.ts'

type Documented<Value> = { readonly [name in OpenAIChatFlavorName]?: Value }

const system = { role: 'system', content: 'You are a helpful assistant.' }
const hello = { role: 'user', content: 'Hi, how are you?' }
const weatherTool = {
  type: 'function',
  function: {
    name: 'get_current_weather',
    description: 'Get the current weather',
    parameters: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
  },
}
const weatherCall = {
  id: 'call_1',
  type: 'function',
  function: { name: 'get_current_weather', arguments: '{"location":"Oslo"}' },
}
const weatherResult = { role: 'tool', tool_call_id: 'call_1', content: '{"temperature":"5"}' }

export const documentedRequests: Documented<readonly JsonObject[]> = {
  cloudflare: [
    { model: '@cf/meta/llama-3.1-8b-instruct', messages: [hello], max_tokens: 256, top_k: 50, seed: 1 },
  ],
  deepinfra: [
    {
      model: 'moonshotai/Kimi-K2-Instruct',
      messages: [hello, { role: 'assistant', content: null, tool_calls: [weatherCall] }, weatherResult],
      tools: [weatherTool],
      tool_choice: 'auto',
      max_tokens: 100,
    },
  ],
  'github-models': [
    {
      model: 'openai/gpt-4.1',
      messages: [{ role: 'developer', content: 'Be brief.' }, hello],
      temperature: 1,
      tool_choice: 'required',
      tools: [weatherTool],
      seed: 1,
      stream_options: { include_usage: true },
      stream: true,
    },
  ],
  huggingface: [
    {
      model: 'deepseek-ai/DeepSeek-R1:fastest',
      messages: [hello],
      max_tokens: 500,
      stop: ['END'],
      logprobs: true,
      top_logprobs: 5,
      seed: 1,
    },
  ],
  litellm: [
    {
      model: 'claude',
      messages: [
        {
          role: 'system',
          content: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
        },
        hello,
        { role: 'assistant', content: 'Well.', reasoning_content: 'A greeting.', thinking_blocks: [] },
        hello,
      ],
      reasoning_effort: 'low',
    },
  ],
  'llama.cpp': [
    { model: 'any', messages: [hello], max_tokens: 9, top_k: 40, min_p: 0.1, cache_prompt: true },
  ],
  lmstudio: [{ model: 'qwen3-4b', messages: [system, hello], max_tokens: 9, top_k: 40, repeat_penalty: 1.1 }],
  minimax: [
    {
      model: 'MiniMax-M2.5',
      messages: [
        system,
        hello,
        {
          role: 'assistant',
          content: 'Let me look.',
          reasoning_details: [{ type: 'reasoning.text', id: 'reasoning-text-1', index: 0, text: 'Weather.' }],
          tool_calls: [weatherCall],
        },
        weatherResult,
      ],
      tools: [weatherTool],
      temperature: 1,
      reasoning_split: true,
    },
  ],
  moonshot: [
    {
      model: 'kimi-k2.6',
      messages: [system, hello],
      max_completion_tokens: 9,
      thinking: { type: 'disabled' },
    },
    {
      model: 'kimi-k3',
      messages: [
        hello,
        { role: 'assistant', content: '', reasoning_content: 'Weather.', tool_calls: [weatherCall] },
        weatherResult,
      ],
      tools: [weatherTool],
      reasoning_effort: 'high',
    },
  ],
  nebius: [
    {
      model: 'deepseek-ai/DeepSeek-V4-Pro',
      messages: [hello, { role: 'assistant', content: 'Well.', reasoning_content: 'A greeting.' }, hello],
      max_tokens: 100,
      service_tier: 'auto',
      store: false,
      user: 'u-1',
      logprobs: false,
    },
  ],
  nvidia: [
    {
      model: 'nvidia/llama-3.1-nemotron-70b-instruct',
      messages: [hello],
      max_tokens: 1024,
      temperature: 0.7,
      frequency_penalty: 0,
      seed: 1,
      stop: ['END'],
    },
  ],
  qwen: [
    {
      model: 'qwen-plus',
      messages: [hello],
      stream: true,
      stream_options: { include_usage: true },
      enable_thinking: true,
      thinking_budget: 50,
      enable_search: true,
    },
  ],
  sambanova: [
    {
      model: 'gpt-oss-120b',
      messages: [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0=' } }],
        },
        { role: 'assistant', content: 'A dot.', reasoning: 'One pixel.' },
        hello,
      ],
      max_tokens: 9,
      top_k: 40,
      do_sample: true,
      reasoning_effort: 'low',
    },
  ],
  vllm: [
    {
      model: 'NousResearch/Meta-Llama-3-8B-Instruct',
      messages: [{ role: 'user', content: 'Classify this sentiment: vLLM is wonderful!' }],
      top_k: 40,
      structured_outputs: { choice: ['positive', 'negative'] },
    },
  ],
}

const answer = (message: JsonObject, finish = 'stop', others: JsonObject = {}): JsonObject => ({
  id: 'cmpl-1',
  object: 'chat.completion',
  created: 1_763_000_000,
  model: 'a-model',
  choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', ...message } }],
  usage: { prompt_tokens: 13, completion_tokens: 26, total_tokens: 39 },
  ...others,
})

/** Answers in the form of the documentation: the reasoning of the answer, and its body. */
export const documentedAnswers: Documented<readonly [reasoning: string | undefined, body: JsonObject]> = {
  deepinfra: ['A greeting.', answer({ content: 'Fine.', reasoning_content: 'A greeting.' })],
  'github-models': [undefined, answer({ content: 'Fine.', refusal: null, annotations: [] })],
  litellm: [
    'A greeting.',
    answer({
      content: 'Fine.',
      reasoning_content: 'A greeting.',
      thinking_blocks: [{ type: 'thinking', thinking: 'A greeting.', signature: 'c2ln' }],
      provider_specific_fields: { refusal: null },
    }),
  ],
  minimax: [
    'A greeting.',
    answer(
      {
        content: 'Fine.',
        name: 'MiniMax AI',
        audio_content: '',
        reasoning_details: [
          {
            type: 'reasoning.text',
            id: 'reasoning-text-1',
            format: 'MiniMax-response-v1',
            index: 0,
            text: 'A greeting.',
          },
        ],
      },
      'stop',
      { input_sensitive: false, base_resp: { status_code: 0, status_msg: '' } },
    ),
  ],
  moonshot: [
    'Weather.',
    answer({ content: '', reasoning_content: 'Weather.', tool_calls: [weatherCall] }, 'tool_calls'),
  ],
  nebius: [undefined, answer({ content: 'Fine.', refusal: null, tool_calls: [], reasoning_content: null })],
  qwen: ['A greeting.', answer({ content: 'Fine.', reasoning_content: 'A greeting.' })],
  sambanova: [
    'A greeting.',
    answer({ content: 'Fine.', channel: 'final', reasoning: 'A greeting.' }, 'stop', {
      usage: {
        prompt_tokens: 13,
        completion_tokens: 26,
        total_tokens: 39,
        total_latency: 0.2,
        is_last_response: true,
      },
    }),
  ],
}
