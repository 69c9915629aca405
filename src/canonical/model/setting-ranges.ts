import { NumberRange } from '../../wire/number-range.ts'
import type { ChatRequest, LogprobSettings, ReasoningSettings } from './request.ts'

type NumericKey<T> = {
  [key in keyof T]-?: Exclude<T[key], undefined> extends number ? key : never
}[keyof T]

/** The settings that are numbers. */
type NumericSetting = NumericKey<ChatRequest> | NumericKey<ReasoningSettings> | NumericKey<LogprobSettings>

/**
 * The numbers that each setting can have for some provider; the narrower limits of a format, a host or a model are rows of
 * their tables. A number that no provider accepts is a mistake of the caller. Received bodies may contain any number: it
 * stays in the residue of its format.
 */
export const settingRanges: { readonly [key in NumericSetting]: NumberRange } = {
  // 0 only fills the prompt cache: https://platform.claude.com/docs/en/api/messages/create. Other formats raise it to 1.
  maxOutputTokens: new NumberRange('integer', 0),
  // Local servers accept any temperature; other hosts have a limit in their row.
  temperature: new NumberRange('number', 0),
  topP: new NumberRange('number', 0, 1),
  // 0 considers all tokens: https://docs.cohere.com/reference/chat, https://docs.vllm.ai.
  topK: new NumberRange('integer', 0),
  seed: new NumberRange('integer'),
  presencePenalty: new NumberRange('number', -2, 2),
  frequencyPenalty: new NumberRange('number', -2, 2),
  candidateCount: new NumberRange('integer', 1),
  // 0 turns reasoning off.
  budgetTokens: new NumberRange('integer', 0),
  top: new NumberRange('integer', 0),
}

/** Returns true for the name of a setting that is a number. */
export function isNumericSetting(name: string): name is NumericSetting {
  return Object.hasOwn(settingRanges, name)
}
