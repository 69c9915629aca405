import type { Json, JsonObject } from '../../wire/json.ts'

/** The names of the hints: `list` is the response of a tool that is a list of parts, although it is one part. */
export type TelemetryHintName = 'list'

/** A part of a message of a span. */
export type TelemetryPartJson = { type: string; [field: string]: Json | JsonObject | undefined }

/** A message of `gen_ai.input.messages` or `gen_ai.output.messages`, as the JSON Schemas of OpenTelemetry define it. */
export interface TelemetryMessageJson {
  role: string
  parts: TelemetryPartJson[]
  name?: string
  finish_reason?: string
}
