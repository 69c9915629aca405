import type { MediaPart } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'

/** Values of settings that equal the default of every provider: omitting them is no loss. */
export const settingDefaults: Partial<ChatRequest> = {
  parallelToolCalls: true,
  temperature: 1,
  topP: 1,
  presencePenalty: 0,
  frequencyPenalty: 0,
  candidateCount: 1,
}

/** Returns true if a setting is present with another value than its default. */
export function hasNonDefaultSetting(request: ChatRequest, key: keyof ChatRequest): boolean {
  return request[key] !== undefined && request[key] !== settingDefaults[key]
}

/** Returns true if a field beside the content of a media part is present; `auto` is the default detail. */
export function hasMediaField(part: MediaPart, key: 'name' | 'detail' | 'transcript'): boolean {
  return part[key] !== undefined && !(key === 'detail' && part.detail === 'auto')
}
