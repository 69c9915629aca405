import type { Json, JsonObject, JsonSchema } from '../../wire/json.ts'
import type { Extra } from './extra.ts'
import type { CacheHint } from './part.ts'

/** A tool that the application runs. */
export interface FunctionTool {
  readonly type: 'function'
  readonly name: string
  readonly description?: string
  /** JSON Schema of the arguments. */
  readonly input: JsonSchema
  readonly strict?: boolean
  readonly cache?: CacheHint
  readonly extra?: Extra
}

/** A tool that the provider runs, such as a web search. */
export interface ProviderTool {
  readonly type: 'provider'
  readonly provider: string
  readonly name: string
  readonly options: JsonObject
  readonly cache?: CacheHint
  readonly extra?: Extra
}

/** A tool of a type that this version does not know. */
export interface OpaqueTool {
  readonly type: 'opaque'
  readonly dialect: string
  readonly value: Json
}

/** A tool, discriminated by `type`. */
export type Tool = FunctionTool | ProviderTool | OpaqueTool

/** The tools that the model may or must use. */
export type ToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { readonly name: string }
  | { readonly allowed: readonly string[]; readonly mode: 'auto' | 'required' }
