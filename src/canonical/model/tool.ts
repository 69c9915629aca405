import type { Json, JsonObject, JsonSchema } from '../../wire/json.ts'
import type { Extra } from './extra.ts'
import type { CacheHint } from './part.ts'

/** The grammar of the text that a tool accepts. */
export interface ToolGrammar {
  readonly syntax: 'lark' | 'regex'
  readonly definition: string
}

/** The text that a tool receives instead of JSON arguments. */
export interface ToolTextInput {
  /** The grammar that the text must match. Default: no restriction. */
  readonly grammar?: ToolGrammar
}

/** A named group of tools, such as the tools of one MCP server. */
export interface ToolNamespace {
  readonly name: string
  readonly description?: string
}

/** A tool that the application runs. */
export interface FunctionTool {
  readonly type: 'function'
  /** The name of the tool, unique in a request. The name of a decoded tool starts with its namespace. */
  readonly name: string
  readonly description?: string
  /** JSON Schema of the arguments. */
  readonly input: JsonSchema
  /**
   * The tool receives text (a custom tool of OpenAI). Its calls have the arguments `{ input }`, and `input` is the schema
   * of these arguments, which providers without such tools receive.
   */
  readonly textInput?: ToolTextInput
  /** The group of the tool, for providers that have groups. */
  readonly namespace?: ToolNamespace
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
  readonly extra?: Extra
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

/** Returns true for a choice that forces a call. */
export function isForcedToolChoice(choice: ToolChoice | undefined): boolean {
  if (typeof choice !== 'object') return choice === 'required'
  return 'name' in choice || choice.mode === 'required'
}
