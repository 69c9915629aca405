// Changes of the request in flavor-requests.ts that several hosts share, and the losses that they report.

export const limit: readonly string[] = ['- /max_completion_tokens 100', '+ /max_tokens 100']
export const system: readonly string[] = ['- /messages/0/role "developer"', '+ /messages/0/role "system"']
export const unmarked: readonly string[] = ['- /messages/1/content/0/prompt_cache_breakpoint/mode "explicit"']
export const control: readonly string[] = [
  ...unmarked,
  '+ /messages/1/content/0/cache_control/type "ephemeral"',
]
export const nameless: readonly string[] = ['- /messages/1/name "ann"']
export const reasoning: readonly string[] = ['+ /messages/2/reasoning "I should ask."']
export const reasoningContent: readonly string[] = ['+ /messages/2/reasoning_content "I should ask."']
export const refusalAsText: readonly string[] = [
  '- /messages/5/content null',
  '+ /messages/5/content "That I cannot say."',
  '- /messages/5/refusal "That I cannot say."',
]
export const topK: readonly string[] = ['+ /top_k 40']
export const userId = (id: string): readonly string[] => ['- /user "u-1"', `+ /user_id "${id}"`]
export const anyJson: readonly string[] = [
  '- /response_format/type "json_schema"',
  '+ /response_format/type "json_object"',
  '- /response_format/json_schema/name "sky"',
  '- /response_format/json_schema/schema/type "object"',
]
export const lax: readonly string[] = ['- /tools/0/function/strict true']
export const onlyWeather: readonly string[] = [
  '- /tools/1/type "function"',
  '- /tools/1/function/name "time"',
  '- /tools/1/function/parameters/type "object"',
  '- /tool_choice/type "allowed_tools"',
  '- /tool_choice/allowed_tools/mode "required"',
  '- /tool_choice/allowed_tools/tools/0/type "function"',
  '- /tool_choice/allowed_tools/tools/0/function/name "weather"',
]
export const noLogprobs: readonly string[] = ['- /logprobs true', '- /top_logprobs 3']
export const noPenalties: readonly string[] = ['- /presence_penalty 0.1', '- /frequency_penalty 0.2']
export const noStop: readonly string[] = ['- /stop/0 "END"', '- /stop/1 "STOP"']

/** Losses of the request that a host with a field for reasoning or `topK` does not have. */
export const kept = 'foreign-reasoning /messages/2/content/0'
export const top = 'no-field /topK'

/** Losses on hosts without the `developer` role and cache markers. */
export const plainer: readonly string[] = [
  'developer-role /messages/0/role',
  'cache-hint /messages/1/content/0/cache',
]

export interface Expected {
  readonly changes: readonly string[]
  /** Losses on the host that OpenAI does not have. */
  readonly losses: readonly string[]
  /** Losses on OpenAI that the host does not have. */
  readonly spared: readonly string[]
}
