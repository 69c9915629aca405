import {
  type DialectName,
  dialects,
  type Json,
  toEvents,
  translateResponse,
  translateStream,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { allPairs, subjects } from './dialect-table.ts'
import { sampleRecordings } from './pair-shares.ts'
import { payloads } from './stream-payloads.ts'
import { collect, encodeStreamText, source, toStreamText } from './stream-responses.ts'

const MODEL = 'the-model-of-the-request'

/** The fields of each dialect that name the model. */
const modelFields: { readonly [name in DialectName]: readonly string[] } = {
  anthropic: ['model'],
  gemini: ['modelVersion', 'model_version'],
  ollama: ['model'],
  'openai-chat': ['model'],
  'openai-responses': ['model'],
  mistral: ['model'],
  'gemini-interactions': ['model', 'agent'],
  // Their answers contain no model: clients know it from their request.
  bedrock: [],
  cohere: [],
}

/** Returns the models that an answer names if it names the model of the request. */
const expectedModels = (name: DialectName): readonly string[] =>
  modelFields[name].length === 0 ? [] : [MODEL]

/** Returns the models that a wire value names, at the top or in the object of a response. */
function modelsIn(name: DialectName, wire: Json): readonly Json[] {
  const { message, response, interaction, ...top } = wire as { readonly [key: string]: Json }
  return [top, message, response, interaction].flatMap((each) => {
    const fields = (each ?? {}) as { readonly [key: string]: Json }
    // Azure sends a chunk about the prompt before the response; it names no model.
    return modelFields[name]
      .map((field) => fields[field])
      .filter((model) => model !== undefined && model !== '')
  }) as readonly Json[]
}

describe.each(subjects)('the `model` option of $name', ({ name, dialect, fixtures, recordings, streams }) => {
  const bodies = [...fixtures.response, ...sampleRecordings(recordings.response)]

  test('is the model that a response names, and changes nothing else', () => {
    for (const { body } of bodies) {
      const { value: response } = dialect.decodeResponse(body)
      const { value, losses } = dialect.encodeResponse(response, { model: MODEL })
      expect(value).toEqual(dialect.encodeResponse({ ...response, model: MODEL }).value)
      expect([...new Set(modelsIn(name, value))]).toEqual(expectedModels(name))
      expect(losses).toEqual(dialect.encodeResponse(response).losses)
    }
  })

  test('is the model that every event of a stream names', async () => {
    for (const { text } of sampleRecordings(streams)) {
      const events = await collect(dialect.decodeStream(source(text)))
      const encoded = payloads((await encodeStreamText(name, events, { model: MODEL })).text)
      const expected = payloads((await encodeStreamText(name, events)).text)
      expect(encoded.length).toBe(expected.length)
      const models = new Set(encoded.flatMap((wire) => modelsIn(name, wire)))
      models.delete(MODEL)
      expect([...models]).toEqual([])
    }
  })

  test('is written where the response names no model', async () => {
    const response = { candidates: [] }
    expect(modelsIn(name, dialect.encodeResponse(response, { model: MODEL }).value)).toEqual(
      expectedModels(name),
    )
  })
})

test.each(allPairs)('$name: a translated answer names the model of the request', async ({ from, to }) => {
  for (const { body } of from.valid.response.slice(0, 5)) {
    const options = { from: from.name, to: to.name, model: MODEL }
    const { value } = translateResponse(body, options)
    expect([...new Set(modelsIn(to.name, value as unknown as Json))]).toEqual(expectedModels(to.name))
    const sent = await encodeStreamText(from.name, toEvents(dialects[from.name].decodeResponse(body).value))
    const { body: bytes } = translateStream(source(sent.text), options)
    const text = toStreamText(to.name, await collect(bytes))
    const models = payloads(text).flatMap((wire) => modelsIn(to.name, wire))
    expect([...new Set(models)]).toEqual(expectedModels(to.name))
  }
})
