// The differences between the body for each host and the body for OpenAI, of the request in
// flavor-requests.ts: the changed leaves, and the rules of the losses.
import type { OpenAIChatFlavorName } from '../../../src/dialects/openai-chat/flavors.ts'

const limit = ['- /max_completion_tokens 100', '+ /max_tokens 100']
const system = ['- /messages/0/role "developer"', '+ /messages/0/role "system"']
const unmarked = ['- /messages/1/content/0/prompt_cache_breakpoint/mode "explicit"']
const control = [...unmarked, '+ /messages/1/content/0/cache_control/type "ephemeral"']
const nameless = ['- /messages/1/name "ann"']
const reasoning = ['+ /messages/2/reasoning "I should ask."']
const reasoningContent = ['+ /messages/2/reasoning_content "I should ask."']
const refusalAsText = [
  '- /messages/5/content null',
  '+ /messages/5/content "That I cannot say."',
  '- /messages/5/refusal "That I cannot say."',
]
const topK = ['+ /top_k 40']
const userId = (id: string) => ['- /user "u-1"', `+ /user_id "${id}"`]
const anyJson = [
  '- /response_format/type "json_schema"',
  '+ /response_format/type "json_object"',
  '- /response_format/json_schema/name "sky"',
  '- /response_format/json_schema/schema/type "object"',
]
const lax = ['- /tools/0/function/strict true']
const onlyWeather = [
  '- /tools/1/type "function"',
  '- /tools/1/function/name "time"',
  '- /tools/1/function/parameters/type "object"',
  '- /tool_choice/type "allowed_tools"',
  '- /tool_choice/allowed_tools/mode "required"',
  '- /tool_choice/allowed_tools/tools/0/type "function"',
  '- /tool_choice/allowed_tools/tools/0/function/name "weather"',
]
const noLogprobs = ['- /logprobs true', '- /top_logprobs 3']
const noPenalties = ['- /presence_penalty 0.1', '- /frequency_penalty 0.2']
const noStop = ['- /stop/0 "END"', '- /stop/1 "STOP"']

/** Losses of the request that a host with a field for reasoning or `topK` does not have. */
const kept = 'foreign-reasoning /messages/2/content/0'
const top = 'no-field /topK'

/** Losses on hosts without the `developer` role and cache markers. */
const plainer = ['developer-role /messages/0/role', 'cache-hint /messages/1/content/0/cache']

interface Expected {
  readonly changes: readonly string[]
  /** Losses on the host that OpenAI does not have. */
  readonly losses: readonly string[]
  /** Losses on OpenAI that the host does not have. */
  readonly spared: readonly string[]
}

export const expected: { readonly [name in OpenAIChatFlavorName]: Expected } = {
  azure: {
    changes: [],
    losses: [],
    spared: [],
  },
  cerebras: {
    changes: [...noPenalties, ...reasoning, ...refusalAsText, ...system, ...unmarked],
    losses: [
      'model-setting /frequencyPenalty',
      'model-setting /presencePenalty',
      ...plainer,
      'refusal-as-text /messages/5/content/0',
    ],
    spared: [kept],
  },
  deepseek: {
    changes: [
      ...anyJson,
      ...lax,
      ...limit,
      ...reasoningContent,
      ...system,
      ...unmarked,
      ...userId('u-1'),
      '+ /messages/1/content "Look.\\n[image, https://example.org/a.png]"',
      '- /messages/1/content/0/text "Look."',
      '- /messages/1/content/0/type "text"',
      '- /messages/1/content/1/image_url/url "https://example.org/a.png"',
      '- /messages/1/content/1/type "image_url"',
      '+ /messages/5/reasoning_content ""',
      '- /seed 7',
    ],
    losses: [
      'model-setting /seed',
      'output-schema-unknown /output',
      ...plainer,
      'unsupported-media /messages/1/content/1',
      'texts-joined /messages/1/content',
      'empty-reasoning /messages/5',
      'no-field /tools/0/strict',
    ],
    spared: [kept],
  },
  fireworks: {
    changes: [...limit, ...reasoningContent, ...system, ...topK, ...unmarked],
    losses: plainer,
    spared: [top, kept],
  },
  groq: {
    changes: [
      ...nameless,
      ...noLogprobs,
      ...noPenalties,
      ...reasoning,
      ...refusalAsText,
      ...unmarked,
      '- /metadata/team "a"',
      '- /n 2',
    ],
    losses: [
      'model-setting /candidateCount',
      'model-setting /frequencyPenalty',
      'model-setting /logprobs',
      'model-setting /metadata',
      'model-setting /presencePenalty',
      'cache-hint /messages/1/content/0/cache',
      'message-name /messages/1/name',
      'refusal-as-text /messages/5/content/0',
    ],
    spared: [kept],
  },
  'llama.cpp': {
    changes: [...limit, ...reasoningContent, ...system, ...topK, ...unmarked],
    losses: plainer,
    spared: [top, kept],
  },
  lmstudio: {
    changes: [...limit, ...system, ...topK, ...unmarked],
    losses: plainer,
    spared: [top],
  },
  mistral: {
    changes: [
      ...limit,
      ...nameless,
      ...noLogprobs,
      ...onlyWeather,
      ...system,
      ...unmarked,
      '+ /messages/2/tool_calls/0/id "RksXkbv4v"',
      '- /messages/2/tool_calls/0/id "call_1"',
      '+ /messages/3/tool_call_id "RksXkbv4v"',
      '- /messages/3/tool_call_id "call_1"',
      '- /messages/4/content "And tomorrow?"',
      '+ /messages/4/content "OK."',
      '+ /messages/4/role "assistant"',
      '- /messages/4/role "user"',
      '+ /messages/5/content "And tomorrow?"',
      '- /messages/5/content null',
      '- /messages/5/refusal "That I cannot say."',
      '- /messages/5/role "assistant"',
      '+ /messages/5/role "user"',
      '+ /messages/6/content "That I cannot say."',
      '+ /messages/6/prefix true',
      '+ /messages/6/role "assistant"',
      '+ /random_seed 7',
      '- /seed 7',
      '+ /temperature 1.5',
      '- /temperature 1.8',
      '+ /tool_choice "required"',
      '- /user "u-1"',
    ],
    losses: [
      'model-setting /logprobs',
      'model-setting /user',
      'temperature-range /temperature',
      'tools-withheld /toolChoice',
      ...plainer,
      'message-name /messages/1/name',
      'id-changed /messages/2/content/2/id',
      'id-changed /messages/3/content/0/callId',
      'turn-between /messages/4',
      'refusal-as-text /messages/5/content/0',
      'answer-prefix /messages/5',
    ],
    spared: [],
  },
  moonshot: {
    changes: [...reasoningContent, ...system, ...unmarked, '+ /temperature 1', '- /temperature 1.8'],
    losses: ['temperature-range /temperature', ...plainer],
    spared: [kept],
  },
  ollama: {
    changes: [
      ...lax,
      ...limit,
      ...onlyWeather,
      ...reasoning,
      ...refusalAsText,
      ...system,
      ...unmarked,
      '+ /messages/1/content/1/text "[image, https://example.org/a.png]"',
      '- /messages/1/content/1/image_url/url "https://example.org/a.png"',
      '+ /messages/1/content/1/type "text"',
      '- /messages/1/content/1/type "image_url"',
      '- /metadata/team "a"',
      '- /n 2',
      '- /parallel_tool_calls false',
      '+ /tool_choice "auto"',
      '- /user "u-1"',
    ],
    losses: [
      'model-setting /candidateCount',
      'model-setting /metadata',
      'model-setting /parallelToolCalls',
      'model-setting /user',
      'model-tool-choice /toolChoice',
      'tools-withheld /toolChoice',
      ...plainer,
      'unsupported-media /messages/1/content/1',
      'refusal-as-text /messages/5/content/0',
      'no-field /tools/0/strict',
    ],
    spared: [kept],
  },
  openai: {
    changes: [],
    losses: [],
    spared: [],
  },
  openrouter: {
    changes: [...control, ...reasoning, ...topK],
    losses: [],
    spared: [top, kept],
  },
  perplexity: {
    changes: [...limit, ...noPenalties, ...noStop, ...system, ...unmarked, '- /seed 7'],
    losses: [
      'model-setting /frequencyPenalty',
      'model-setting /presencePenalty',
      'model-setting /seed',
      'model-setting /stop',
      ...plainer,
    ],
    spared: [],
  },
  qwen: {
    changes: [...control, ...limit, ...reasoningContent, ...system, ...topK, '- /frequency_penalty 0.2'],
    losses: ['model-setting /frequencyPenalty', 'developer-role /messages/0/role'],
    spared: [top, kept],
  },
  together: {
    changes: [...limit, ...noLogprobs, ...reasoning, ...system, ...topK, ...unmarked, '+ /logprobs 3'],
    losses: plainer,
    spared: [top, kept],
  },
  vllm: {
    changes: [...reasoning, ...system, ...topK, ...unmarked],
    losses: plainer,
    spared: [top, kept],
  },
  xai: {
    changes: [...reasoningContent, ...noPenalties, ...noStop, ...system, ...unmarked],
    losses: [
      'model-setting /frequencyPenalty',
      'model-setting /presencePenalty',
      'model-setting /stop',
      ...plainer,
    ],
    spared: [kept],
  },
  zai: {
    changes: [
      ...anyJson,
      ...limit,
      ...nameless,
      ...noPenalties,
      ...onlyWeather,
      ...reasoningContent,
      ...system,
      ...unmarked,
      ...userId('user_a24a7f55f278dd49fb1f99c5507800cb'),
      '- /seed 7',
      '- /stop/1 "STOP"',
      '+ /temperature 1',
      '- /temperature 1.8',
      '+ /tool_choice "auto"',
    ],
    losses: [
      'user-digest /user',
      'model-setting /frequencyPenalty',
      'model-setting /presencePenalty',
      'model-setting /seed',
      'model-tool-choice /toolChoice',
      'temperature-range /temperature',
      'tools-withheld /toolChoice',
      'stop-limit /stop/1',
      'output-schema-unknown /output',
      ...plainer,
      'message-name /messages/1/name',
    ],
    spared: [kept],
  },
}
