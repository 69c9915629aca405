import type { ChatRequest } from '../canonical/model/request.ts'
import { InterlinguaError } from '../errors.ts'
import { findModelFamily } from '../models/find-model-family.ts'

/** One of the two APIs of OpenAI. */
export type OpenAIApi = 'chat' | 'responses'

/** The name of each API, and the constructor of its models. */
const apiNames: { readonly [api in OpenAIApi]: readonly [name: string, constructor: string] } = {
  chat: ['Chat Completions API', 'openaiChat'],
  responses: ['Responses API', 'openaiResponses'],
}

/**
 * The models that only one API serves.
 * @see https://developers.openai.com/api/docs/models (2026-11; "v1/chat/completions" and "v1/responses" of each model)
 */
const singleApiModels: readonly (readonly [names: RegExp, api: OpenAIApi])[] = [
  [/-pro(?![a-z])|codex|deep-research|computer-use/, 'responses'],
  [/audio|search-(?:preview|api)/, 'chat'],
]

/** Models that OpenAI publishes but does not serve: their hosts have the Chat Completions API. */
const openModels = /gpt-oss/

function findSingleApi(model: string): OpenAIApi | undefined {
  return singleApiModels.find(([names]) => names.test(model))?.[1]
}

/**
 * Returns the API for a model: the Responses API for the models of OpenAI, because newer ones refuse tools in Chat
 * Completions, and Chat Completions for other names, because most compatible hosts have only that API.
 */
export function selectOpenAIApi(model: string): OpenAIApi {
  const name = model.toLowerCase()
  const isOwnModel = findModelFamily(name)?.vendor === 'openai' && !openModels.test(name)
  return findSingleApi(name) ?? (isOwnModel ? 'responses' : 'chat')
}

/** Throws if one of OpenAI's APIs cannot serve a request; the error names the other API. */
export function checkOpenAIRequest(api: OpenAIApi, model: string, request: ChatRequest): void {
  const singleApi = findSingleApi(model.toLowerCase())
  if (singleApi !== undefined && singleApi !== api)
    throw createWrongApiError(api, model, '/model', 'is not served by')
  const hasFunctions = (request.tools ?? []).some(({ type }) => type === 'function')
  const { chatTools } = findModelFamily(model) ?? {}
  if (api !== 'chat' || !hasFunctions || chatTools === undefined) return
  if (chatTools === false)
    throw createWrongApiError(api, model, '/tools', 'does not accept function tools in')
  const { enabled = false, effort } = request.reasoning ?? {}
  if (effort === 'none' && !enabled) return
  throw createWrongApiError(api, model, '/tools', 'accepts function tools only without reasoning in')
}

function createWrongApiError(api: OpenAIApi, model: string, path: string, problem: string): InterlinguaError {
  const [otherName, otherConstructor] = apiNames[api === 'chat' ? 'responses' : 'chat']
  const isEffort = problem.includes('reasoning')
  return new InterlinguaError('unsupported', `The model '${model}' ${problem} the ${apiNames[api][0]}`, {
    path,
    found: path === '/model' ? `a request to the ${apiNames[api][0]}` : 'function tools',
    expected: isEffort ? 'reasoning.effort: none, or no function tools' : `a request to the ${otherName}`,
    hint:
      `Use ${otherConstructor}('${model}'), or openai('${model}'), which selects the API by the model` +
      `${isEffort ? "; or set `reasoning: { effort: 'none' }`" : ''}.`,
  })
}
