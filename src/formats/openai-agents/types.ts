import type { Json, JsonObject } from '../../wire/json.ts'

/**
 * The names of the hints: `parts` is content or output that is a list, although it is one text; `single` is output that is one
 * object; `rawData` is base64 data without a media type; `lengths` are the lengths of the texts of reasoning.
 */
export type AgentsHintName = 'parts' | 'single' | 'rawData' | 'lengths'

type ContentJson = { type: string; [field: string]: Json | JsonObject | undefined }

/** An item of the OpenAI Agents SDK, as plain JSON: `AgentInputItem` of the package `@openai/agents`. */
export type AgentItemJson =
  | { type: 'message'; role: 'system'; content: string }
  | { type: 'message'; role: 'user'; content: string | ContentJson[] }
  | {
      type: 'message'
      role: 'assistant'
      status: 'in_progress' | 'completed' | 'incomplete'
      content: ContentJson[]
    }
  | {
      type: 'reasoning'
      content: { type: 'input_text'; text: string }[]
      rawContent?: { type: 'reasoning_text'; text: string }[]
      providerData?: JsonObject
    }
  | { type: 'function_call'; callId: string; name: string; arguments: string; status?: 'completed' }
  | {
      type: 'hosted_tool_call'
      id: string
      name: string
      arguments?: string
      status?: string
      output?: string
    }
  | {
      type: 'function_call_result'
      callId: string
      name: string
      status: 'completed'
      output: string | ContentJson[]
    }
