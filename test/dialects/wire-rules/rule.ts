import type { Json, JsonObject } from 'interlingua'

/** A rule of a provider's server that its published schema does not say; it names what breaks it. */
export interface WireRule {
  readonly id: string
  readonly broken: (body: JsonObject) => readonly string[]
}

export type Wire = { readonly [key: string]: Json | undefined }

/** The objects of a list; none where there is no list. */
export function objects(value: Json | undefined): readonly Wire[] {
  return Array.isArray(value)
    ? (value as readonly Json[]).filter(
        (each): each is JsonObject => typeof each === 'object' && each !== null,
      )
    : []
}

export const listOf = (body: Wire | undefined, key: string): readonly Wire[] => objects(body?.[key])

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** The texts that objects have under a key. */
export const textsOf = (list: readonly Wire[], key: string): readonly string[] =>
  list.map((each) => textOf(each[key]))

/** What of some is not among others, one for one: a second answer to one call is one too many. */
export function without(some: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others]
  return some.filter((each) => {
    const found = left.indexOf(each)
    if (found !== -1) left.splice(found, 1)
    return found === -1
  })
}

export const repeated = (names: readonly string[]): readonly string[] =>
  names.filter((name, index) => names.indexOf(name) !== index)

/** Checks each item of a list with its neighbours. */
export const each =
  (
    key: string,
    broken: (item: Wire, index: number, all: readonly Wire[]) => readonly string[],
  ): WireRule['broken'] =>
  (body) =>
    listOf(body, key).flatMap(broken)

/** A choice among no tools. */
export const choiceNeedsTools: WireRule = {
  id: 'choice-needs-tools',
  broken: (body) => ('tool_choice' in body && listOf(body, 'tools').length === 0 ? ['tool_choice'] : []),
}

/** Everything that a body breaks, as the rule and what breaks it. */
export function brokenRules(rules: readonly WireRule[], body: JsonObject): readonly string[] {
  return rules.flatMap(({ id, broken }) => broken(body).map((what) => `${id} ${what}`))
}
