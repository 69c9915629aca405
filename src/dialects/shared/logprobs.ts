import type { LogprobSettings } from '../../canonical/model/request.ts'
import type { JsonObject } from '../../wire/json.ts'

/** Reads whether the probabilities of tokens are asked for, where a flag and a number say it. */
export function readLogprobs({ logprobs, top_logprobs: top }: JsonObject): {
  readonly logprobs?: LogprobSettings
} {
  if (logprobs !== true) return {}
  return { logprobs: Number.isSafeInteger(top) ? { top: top as number } : {} }
}

/** What asks for the probabilities of tokens, by a flag and a number. */
export function writeLogprobs(logprobs: LogprobSettings | undefined): JsonObject {
  if (logprobs === undefined) return {}
  return { logprobs: true, ...(logprobs.top !== undefined && { top_logprobs: logprobs.top }) }
}
