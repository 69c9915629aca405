import { isObject, type Json } from '../../wire/json.ts'

/** A JSON object of a request body, with the fields that it may lack. */
export type WireObject = { readonly [key: string]: Json | undefined }

/** The reason for which a provider refuses a request body. */
export interface RequestProblem {
  /** The id of the broken rule; `schema` for the published schema of the body. */
  readonly rule: string
  /** JSON pointer into the body. */
  readonly path: string
  /** The text of the error, in the words of the provider. */
  readonly message: string
  /** The code of the error, for providers that have one. */
  readonly code?: string
}

/** The facts about a request that are not in its body. */
export interface RuleContext {
  /** The model, which some formats have in the path. */
  readonly model: string
}

/** A broken rule, before it has the id of its rule. */
export type Violation = Omit<RequestProblem, 'rule'>

/** A rule of a provider for request bodies that its published schema does not contain. */
export interface RequestRule {
  readonly id: string
  /** The condition, in one sentence. */
  readonly summary: string
  readonly find: (body: WireObject, context: RuleContext) => Iterable<Violation>
}

/** Returns the problems of a body by a list of rules. */
export function applyRules(
  rules: readonly RequestRule[],
  body: WireObject,
  context: RuleContext,
): readonly RequestProblem[] {
  return rules.flatMap(({ id, find }) =>
    Array.from(find(body, context), (violation) => ({ rule: id, ...violation })),
  )
}

/** Returns one violation as a list. */
export function refuse(path: string, message: string, code?: string): readonly Violation[] {
  return [{ path, message, ...(code !== undefined && { code }) }]
}

/** Creates a check of each object of a list of the body, which may look at the other objects. */
export function eachOf(
  key: string,
  find: (item: WireObject, index: number, items: readonly WireObject[]) => Iterable<Violation>,
): RequestRule['find'] {
  return (body) => listObjects(body[key]).flatMap((item, index, items) => [...find(item, index, items)])
}

/** Returns the objects of a list; none if the value is not a list. */
export function listObjects(value: Json | undefined): readonly WireObject[] {
  return Array.isArray(value) ? value.filter((each): each is { [key: string]: Json } => isObject(each)) : []
}

export function getText(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** Returns the object at a key; an empty one if there is none. */
export function getObject(value: WireObject | undefined, key: string): WireObject {
  const found = value?.[key]
  return isObject(found) ? found : {}
}

/** Returns the names that occur more than once, each once. */
export function findRepeated(names: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const name of names) (seen.has(name) ? repeated : seen).add(name)
  return [...repeated]
}

/** Returns the ids that `others` does not contain. */
export function findMissing(ids: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others)
  return ids.filter((id) => !known.has(id))
}

/** Returns true if JSON text contains half of a surrogate pair, which `JSON.stringify` writes as an escape. */
export function hasLoneSurrogate(json: string): boolean {
  return /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(json)
}
