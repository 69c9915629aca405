import type { ChatRequest, Dialect, JsonObject } from 'interlingua'
import { ollamaDialect } from 'interlingua/dialects/ollama'
import type { LawName } from 'interlingua/dialects/testing'

/** The dialect that the mistakes are added to. */
export const plainDialect: Dialect<JsonObject, JsonObject> = ollamaDialect

/** A mistake of a dialect, the law that it breaks, and what the report must contain. */
export interface DialectMistake {
  readonly law: LawName
  readonly mistake: Partial<Record<keyof Dialect, unknown>>
  readonly report: readonly (string | RegExp)[]
}

/** Mistakes by what they do. */
export interface DialectMistakes {
  readonly [name: string]: DialectMistake
}

/** Returns the dialect with a mistake. */
export function breakDialect(mistake: DialectMistake['mistake']): Dialect {
  return { ...plainDialect, ...mistake } as Dialect
}

/** Returns true for an object that is not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a body without a key. */
export function omitKey(wire: unknown, key: string): unknown {
  return isRecord(wire) ? Object.fromEntries(Object.entries(wire).filter(([each]) => each !== key)) : wire
}

/** Returns an encoder of changed requests. */
export function encodeChanged(
  change: (request: ChatRequest) => ChatRequest,
): (request: ChatRequest, options?: object) => unknown {
  return (request, options) =>
    plainDialect.encodeRequest(isRecord(request) ? change(request) : request, options)
}
