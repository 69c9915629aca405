import { readFileSync } from 'node:fs'
import {
  ContentBlock$,
  ConverseResponse$,
  ConverseStreamOutput$,
  ConverseStreamRequest$,
} from '@aws-sdk/client-bedrock-runtime'
import { describe, expect, test } from 'vitest'

/**
 * A schema of the official client: a list of its kind, namespace, name, traits, keys, members, and the number of required
 * members, which are the first ones. Members may be functions, or lists with traits.
 */
type SdkSchema = unknown
type JsonSchema = { readonly [key: string]: unknown }

const LIST = 1
const MAP = 2
const UNION = 4
const LIST_OF = 64
const MAP_OF = 128
/** An error of a stream is a structure with another number. */
const STRUCTURES: ReadonlySet<unknown> = new Set([3, UNION, -3])

/** The model is part of the URL. */
const omitted: ReadonlySet<string> = new Set(['modelId'])

/** What guardrails and prompt routers report is not part of our schema: it accepts every object. */
const anyObjects: ReadonlySet<string> = new Set(['trace'])

function resolveMember(member: SdkSchema): SdkSchema {
  if (typeof member === 'function') return resolveMember((member as () => SdkSchema)())
  const isWithTraits = Array.isArray(member) && member.length === 2 && typeof member[1] !== 'string'
  return isWithTraits ? resolveMember((member as readonly SdkSchema[])[0]) : member
}

describe.each([
  // A request for a stream has one more field, in `guardrailConfig`.
  ['bedrock-request', ConverseStreamRequest$],
  ['bedrock-response', ConverseResponse$],
  ['bedrock-stream-event', ConverseStreamOutput$],
] as const)('%s has the fields of the official client', (name, sdk) => {
  const file = new URL(`../../../wire-schemas/${name}.json`, import.meta.url)
  const root = JSON.parse(readFileSync(file, 'utf8')) as JsonSchema
  const definitions = root['definitions'] as { readonly [name: string]: JsonSchema }
  const seen = new Set<SdkSchema>()
  const differences: string[] = []

  const resolveRef = (schema: JsonSchema): JsonSchema => {
    const { $ref: ref } = schema
    return typeof ref === 'string' ? resolveRef(definitions[ref.split('/')[2] ?? ''] ?? {}) : schema
  }

  function compare(given: SdkSchema, schema: JsonSchema | undefined, path: string): void {
    const member = resolveMember(given)
    const json = schema && resolveRef(schema)
    if (json === undefined) {
      differences.push(`${path} is missing`)
      return
    }
    if (typeof member === 'number') {
      const type = member >= MAP_OF ? 'object' : member >= LIST_OF ? 'array' : undefined
      if (type !== undefined && json['type'] !== type) differences.push(`${path} is not of type ${type}`)
      return
    }
    if (!Array.isArray(member) || seen.has(member)) return
    seen.add(member)
    const [kind, , , , keys, members, requiredCount = 0] = member as readonly SdkSchema[]
    if (kind === LIST) compare(keys, json['items'] as JsonSchema, `${path}/*`)
    if (kind === MAP) compare(members, json['additionalProperties'] as JsonSchema, `${path}/*`)
    if (!STRUCTURES.has(kind)) return
    const properties = (json['properties'] ?? {}) as { readonly [key: string]: JsonSchema }
    const required = (keys as readonly string[]).slice(0, kind === UNION ? 0 : Number(requiredCount))
    const expected = (keys as readonly string[]).filter((key) => !omitted.has(key))
    const isFree = expected.length === 0 && json['additionalProperties'] !== false
    if (!isFree && Object.keys(properties).toSorted().join() !== expected.toSorted().join())
      differences.push(`${path} has ${Object.keys(properties).join()} instead of ${expected.join()}`)
    const ours = ((json['required'] ?? []) as readonly string[]).toSorted().join()
    if (
      ours !==
      required
        .filter((key) => !omitted.has(key))
        .toSorted()
        .join()
    )
      differences.push(`${path} requires ${ours} instead of ${required.join()}`)
    for (const [index, key] of (keys as readonly string[]).entries())
      if (!omitted.has(key) && !anyObjects.has(key))
        compare((members as readonly SdkSchema[])[index], properties[key], `${path}/${key}`)
  }

  test('names and required fields', () => {
    compare(sdk, root, '')
    expect(differences).toEqual([])
    expect(seen.size).toBeGreaterThan(10)
    if (name !== 'bedrock-stream-event') expect(seen).toContain(ContentBlock$)
  })
})
