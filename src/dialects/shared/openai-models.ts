import type { Capabilities, ModelFamilies, Setting } from '../models.ts'

/** What OpenAI's models refuse that a format has fields for. */
interface Refused {
  /** Refused by models while they think. */
  readonly sampling: readonly Setting[]
  /** Refused by most models that can think. */
  readonly stop?: readonly Setting[]
  /** Refused by the models that can do nothing else. */
  readonly parallel?: readonly Setting[]
}

/** What OpenAI says of its models; other hosts put the maker before the name. */
export function openaiFamilies({ sampling, stop = [], parallel = [] }: Refused): ModelFamilies {
  const refuses = [...sampling, ...stop]
  /** Models that think only where an effort is asked for. */
  const hybrid: Capabilities = { refuses: stop, refusesThinking: sampling, thinks: 'by-effort' }
  const efforts = ['low', 'medium', 'high'] as const
  return [
    [/^(?:openai\/)?o(?:3|4-mini)(?:-|$)/, { refuses: [...refuses, ...parallel], efforts }],
    [/^(?:openai\/)?o[134](?:-|$)/, { refuses: [...sampling, ...parallel], efforts }],
    [/^(?:openai\/)?gpt-5(?:\.\d+)?-chat/, {}],
    [/^(?:openai\/)?gpt-5\.1(?:-(?!codex)|$)/, { ...hybrid, efforts: ['none', ...efforts] }],
    [/^(?:openai\/)?gpt-5\.[234](?:-(?!codex|pro)|$)/, { ...hybrid, efforts: ['none', ...efforts, 'xhigh'] }],
    [/^(?:openai\/)?gpt-5\.(?:[2-9]|\d\d)/, { refusesThinking: sampling }],
    [/^(?:openai\/)?gpt-5(?:-(?:mini|nano|\d)|$)/, { refuses, efforts: ['minimal', ...efforts] }],
    [/^(?:openai\/)?gpt-5(?:[-.]|$)/, { refuses }],
  ]
}
