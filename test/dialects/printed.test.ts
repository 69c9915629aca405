// The printed form of values that contain residue: `console.log`, logs and approvals.
import { deepStrictEqual } from 'node:assert/strict'
import { inspect } from 'node:util'
import { type DialectName, dialects, fromJson, type JsonObject, toJson } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { cases as anthropic } from './stored-bodies/anthropic.ts'
import { cases as bedrock } from './stored-bodies/bedrock.ts'
import { cases as cohere } from './stored-bodies/cohere.ts'
import type { GoldenCase } from './stored-bodies/case.ts'
import { cases as gemini } from './stored-bodies/gemini.ts'
import { cases as interactions } from './stored-bodies/gemini-interactions.ts'
import { cases as mistral } from './stored-bodies/mistral.ts'
import { cases as ollama } from './stored-bodies/ollama.ts'
import { cases as chat } from './stored-bodies/openai-chat.ts'
import { cases as responses } from './stored-bodies/openai-responses.ts'
import { collect, framed, source } from './stream-responses.ts'

const bodies: { readonly [name in DialectName]: readonly GoldenCase[] } = {
  anthropic,
  gemini,
  ollama,
  'openai-chat': chat,
  'openai-responses': responses,
  mistral,
  'gemini-interactions': interactions,
  bedrock,
  cohere,
}

/** The contents of a stored value that are not printed. */
const internals = /\b(hints|nested|replaced|omitted|spelledAs|bound)\b|'[0-9a-f]{16}'|'[0-9a-f]{64}'/

const printed = (value: unknown): string => inspect(value, { depth: null, maxArrayLength: null })

async function decoded(name: DialectName, { kind, wire, flavor, request }: GoldenCase): Promise<object> {
  const options = { ...(flavor !== undefined && { flavor }), ...(request !== undefined && { request }) }
  if (kind === 'request') return dialects[name].decodeRequest(wire, options).value
  if (kind === 'response') return dialects[name].decodeResponse(wire, options).value
  return collect(dialects[name].decodeStream(source(framed(name, wire as readonly unknown[])), options))
}

describe.each(Object.keys(bodies) as DialectName[])('%s', (name) => {
  test.each(bodies[name])('$kind $name prints no digests and no groups of residue', async (each) => {
    const value = await decoded(name, each)
    expect(JSON.stringify(value)).toContain('"$":')
    expect(printed(value)).not.toMatch(internals)
  })

  test.each(bodies[name])('$kind $name is still plain JSON', async (each) => {
    const value = await decoded(name, each)
    deepStrictEqual(JSON.parse(JSON.stringify(value)), value)
    deepStrictEqual(structuredClone(value), value)
    if (each.kind === 'stream') return
    const stored = JSON.parse(JSON.stringify(toJson(value as never))) as JsonObject
    const read = fromJson(stored, each.kind)
    deepStrictEqual(JSON.parse(JSON.stringify(toJson(read))), stored)
    expect(printed(read)).not.toMatch(internals)
  })
})

test('residue and digests are printed as one word, and everything else in full', () => {
  const { value } = dialects.gemini.decodeResponse({
    candidates: [
      {
        content: {
          role: 'model',
          parts: [{ functionCall: { name: 'f', args: { $: 1 } }, thoughtSignature: 's' }],
        },
      },
    ],
    usageMetadata: { promptTokenCount: 1, totalTokenCount: 4, toolUsePromptTokenCount: 3, own: 5 },
  })
  expect(printed(value.usage)).toContain("extra: { gemini: { own: 5, '$': [residue] } }")
  const call = printed(value.candidates[0]?.content[0])
  expect(call).toContain("arguments: { '$': 1 }")
  expect(call).toContain("signature: { vendor: 'google', value: 's', contentDigest: [digest] }")
})
