import type { ChatRequest } from '../../canonical/model/request.ts'
import { digestJson } from '../../wire/digest.ts'
import type { Json } from '../../wire/json.ts'

/** Returns the digest of everything in a request except for the conversation. */
export function digestSettings({ messages: _messages, extra: _extra, ...settings }: ChatRequest): string {
  return digestJson(JSON.parse(JSON.stringify(settings)) as Json).slice(0, 16)
}
