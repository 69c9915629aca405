import type { ModelFamilies } from '../models.ts'

const sampling = ['temperature', 'topP', 'logprobs'] as const

/** What OpenAI says of its models; other hosts put the maker before the name. */
export const families: ModelFamilies = [
  [/^(?:openai\/)?o[134](?:-|$)/, { refuses: sampling }],
  [/^(?:openai\/)?gpt-5(?:\.\d+)?-chat/, {}],
  [/^(?:openai\/)?gpt-5\.(?:[2-9]|\d\d)/, { refusesThinking: sampling }],
  [/^(?:openai\/)?gpt-5(?:[-.]|$)/, { refuses: sampling }],
]
