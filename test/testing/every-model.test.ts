import { type ChatRequest, type DialectName, repair } from 'interlingua'
import { modelFamilies } from 'interlingua/models'
import { findRequestProblems } from 'interlingua/testing/providers'
import { describe, expect, test } from 'vitest'
import { anyRequest } from '../arbitraries.ts'
import { subjects, type Subject } from '../dialects/dialect-table.ts'
import { bare } from '../dialects/json-leaves.ts'
import { law } from '../law-assertions.ts'

const vendors: { readonly [dialect in DialectName]?: string } = {
  anthropic: 'anthropic',
  gemini: 'google',
  'openai-chat': 'openai',
  'openai-responses': 'openai',
}

/** Lists the models of a dialect by all names of its families; later models by their pattern. */
function listModels(dialect: DialectName): readonly string[] {
  const families = modelFamilies.filter(({ vendor }) => vendor === vendors[dialect])
  const names = families.flatMap((family) => family.names.map((name) => name.replace('*', 'of-tomorrow')))
  return names.length === 0 ? ['qwen3'] : names
}

/** Encodes a request for a model, and returns the reasons for which its provider refuses the body. */
function findRefusals({ name, dialect }: Subject, request: ChatRequest, model: string): readonly string[] {
  const flavor = name === 'openai-chat' ? ({ flavor: 'openai' } as const) : {}
  const { value } = dialect.encodeRequest(request, { model, ...flavor })
  return findRequestProblems(name, value, { model }).map(
    ({ rule, path, message }) => `${model}: ${rule} at ${path}: ${message.trim()}`,
  )
}

/** Chooses the models that a request is encoded for: one of them in turn, or all with SOAK. */
function chooseModels(models: readonly string[], index: number): readonly string[] {
  return process.env['SOAK'] ? models : [models[index % models.length] ?? '']
}

describe.each(subjects)('requests for every model of $name are accepted', (to) => {
  const models = listModels(to.name)
  const others = subjects.filter((from) => from !== to)

  test.each(others)('documented and recorded requests of $name', (from) => {
    const found = [...from.valid.request, ...from.own.request].flatMap(({ name, body }, index) => {
      const request = from.dialect.decodeRequest(body).value
      return chooseModels(models, index).flatMap((model) =>
        findRefusals(to, request, model).map((text) => `${name} for ${text}`),
      )
    })
    expect(found).toEqual([])
  })

  test('generated requests', () => {
    let index = 0
    law(anyRequest, (generated) => {
      const request = { ...bare(generated), messages: repair(bare([...generated.messages])) }
      const found = chooseModels(models, index++).flatMap((model) => findRefusals(to, request, model))
      expect(found).toEqual([])
    })
  })
})
