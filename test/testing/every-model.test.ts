import { type ChatRequest, type DialectName, dialects, repair } from 'interlingua'
import { type ModelFamily, modelFamilies, type ModelVendor } from 'interlingua/models'
import { findRequestProblems } from 'interlingua/testing/providers'
import { describe, expect, test } from 'vitest'
import { flavors, type OpenAIChatFlavorName } from '../../src/dialects/openai-chat/flavors.ts'
import { anyRequest } from '../arbitraries.ts'
import { subjects, type Subject } from '../dialects/dialect-table.ts'
import { bare } from '../dialects/json-leaves.ts'
import { shareOf } from '../dialects/pair-shares.ts'
import { law } from '../law-assertions.ts'

/** The vendors whose models the provider of a dialect serves. */
const vendors: { readonly [dialect in DialectName]: readonly ModelVendor[] } = {
  anthropic: ['anthropic'],
  gemini: ['google'],
  'openai-chat': ['openai'],
  'openai-responses': ['openai'],
  'gemini-interactions': ['google'],
  mistral: ['mistral'],
  cohere: ['cohere'],
  bedrock: ['anthropic', 'amazon', 'mistral', 'cohere', 'deepseek', 'openai'],
  ollama: ['deepseek', 'google', 'mistral'],
}

/** The vendors whose models have the formats of the vendor only, or those of Bedrock and Ollama. */
const ownFormats: readonly ModelVendor[] = ['anthropic', 'google', 'openai']

/** Lists a model of each family of a dialect: its later models by their pattern, else the first name. */
function listModels(dialect: DialectName): readonly string[] {
  const families = modelFamilies.filter(({ vendor }) => vendors[dialect].includes(vendor))
  const models = families.map(({ vendor, names }) => {
    const name = names.find((each) => each.endsWith('*')) ?? names[0] ?? ''
    // Bedrock has the vendor before the name.
    return (dialect === 'bedrock' ? `${vendor}.${name}` : name).replace('*', 'unreleased')
  })
  // A model that no family knows.
  return [...models, 'qwen3']
}

const isChatFlavor = (vendor: string): vendor is OpenAIChatFlavorName => Object.hasOwn(flavors, vendor)

/** The hosts of other vendors that speak the format of Chat Completions, and the fields and part types that only they have. */
const hosts: { readonly [vendor: string]: readonly string[] } = {
  amazon: [],
  cohere: [],
  deepseek: ['thinking', 'user_id'],
  meta: [],
  minimax: [],
  mistral: ['random_seed', 'prefix'],
  moonshot: ['video_url', 'thinking'],
  xai: [],
  zai: ['thinking', 'user_id'],
}

/** Returns the value at a JSON pointer. */
function getPointedValue(value: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1)
  return keys.reduce<unknown>((each, key) => (each as Record<string, unknown> | undefined)?.[key], value)
}

/** Encodes a request for a model, and returns the reasons for which its provider refuses the body. */
function findRefusals(
  { name, dialect }: Subject,
  request: ChatRequest,
  model: string,
  isBeta = false,
): readonly string[] {
  const flavor = name === 'openai-chat' ? ({ flavor: 'openai' } as const) : {}
  const { value } = dialect.encodeRequest(request, { model, ...flavor })
  return findRequestProblems(name, value, { model, isBeta }).map(
    ({ rule, path, message }) => `${model}: ${rule} at ${path}: ${message.trim()}`,
  )
}

/** Returns the model of a round: each of them in turn. */
const takeTurn = (models: readonly string[], round: number): string => models[round % models.length] ?? ''

/** Lists the bodies to encode. Fields that only one host has are kept within a dialect, so its other hosts are left out. */
function listBodies(from: Subject, to: Subject): Subject['valid']['request'] {
  return [...from.valid.request, ...shareOf({ from, to }, (from === to ? from.own : from.recordings).request)]
}

describe.each(subjects)('requests for every model of $name are accepted', (to) => {
  const models = listModels(to.name)

  test.each(subjects)('documented and recorded requests of $name', (from) => {
    const found = listBodies(from, to).flatMap(({ name, body }, index) => {
      const request = from.dialect.decodeRequest(body).value
      const chosen = process.env['SOAK'] ? models : [takeTurn(models, index)]
      return chosen.flatMap((model) =>
        // Fields of beta versions are translated to no other dialect.
        findRefusals(to, request, model, from === to).map((text) => `${name} for ${text}`),
      )
    })
    expect(found).toEqual([])
  })

  test('generated requests', () => {
    let round = 0
    law(anyRequest, (generated) => {
      const request = { ...bare(generated), messages: repair(bare([...generated.messages])) }
      expect(findRefusals(to, request, takeTurn(models, round++))).toEqual([])
    })
  })
})

describe('requests for the models of other vendors are accepted', () => {
  const otherFamilies = modelFamilies.filter(({ vendor }) => !ownFormats.includes(vendor))

  test('all of their hosts are listed', () => {
    expect([...new Set(otherFamilies.map(({ vendor }) => vendor))].toSorted()).toEqual(Object.keys(hosts))
  })

  test('generated requests', () => {
    let round = 0
    law(anyRequest, (generated) => {
      const { vendor, names } = otherFamilies[round++ % otherFamilies.length] as ModelFamily
      const [model = ''] = names
      const request = { ...bare(generated), messages: repair(bare([...generated.messages])) }
      const flavor = isChatFlavor(vendor) ? { flavor: vendor } : {}
      const { value } = dialects['openai-chat'].encodeRequest(request, { model, ...flavor })
      const problems = findRequestProblems('openai-chat', value, { model })
      const reasoningFields = isChatFlavor(vendor) ? (flavors[vendor].reasoningFields ?? []) : []
      const own: readonly string[] = [...(hosts[vendor] ?? []), ...reasoningFields]
      const isOwn = (path: string): boolean =>
        [path.split('/').at(-1), getPointedValue(value, path)].some((each) => own.includes(String(each)))
      expect(problems.filter(({ path }) => !isOwn(path))).toEqual([])
    })
  })
})
