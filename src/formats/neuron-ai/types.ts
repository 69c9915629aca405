import type { Json, JsonObject } from '../../wire/json.ts'

/** The names of the hints: `textContent` is content of old versions, a text; `attachment` is media of old versions. */
export type NeuronHintName = 'textContent' | 'attachment'

/** A message as the chat histories of NeuronAI store it. */
export interface NeuronMessageJson {
  role: string
  content: string | JsonObject[] | null
  type?: 'tool_call' | 'tool_call_result'
  tools?: JsonObject[]
  [field: string]: Json | JsonObject[] | undefined
}
