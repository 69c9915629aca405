import type { Effort } from '../../canonical/model/request.ts'
import { modelFactUse, toolNameRule } from '../../dialects/gemini-interactions/constants.ts'
import { GOOGLE_MAX_STOP_SEQUENCES } from '../../dialects/shared/google-common.ts'
import { isValidToolName } from '../../dialects/shared/tool-names.ts'
import { createModelRule } from './model-fact-rules.ts'
import {
  findRepeated,
  getObject,
  getText,
  listObjects,
  refuse,
  type RequestRule,
  type WireObject,
} from './request-rule.ts'

const listSteps = (body: WireObject): readonly WireObject[] => listObjects(body['input'])
const listFunctions = (body: WireObject): readonly WireObject[] =>
  listObjects(body['tools']).filter(({ type }) => type === 'function')
const getConfig = (body: WireObject): WireObject => getObject(body, 'generation_config')

/** What Google refuses in requests of the Interactions API beyond its schema. */
export const geminiInteractionsRules: readonly RequestRule[] = [
  {
    id: 'model-or-agent',
    summary: 'A request has a model or an agent, not both.',
    find: ({ model, agent }) =>
      (model === undefined) === (agent === undefined)
        ? refuse('', 'Exactly one of `model` and `agent` must be set.')
        : [],
  },
  {
    id: 'input',
    summary: 'A request has an input, unless it continues an interaction.',
    find: ({ input, continuation_token: token }) =>
      token !== undefined ||
      (input !== undefined && input !== '' && !(Array.isArray(input) && input.length === 0))
        ? []
        : refuse('/input', 'The request must contain a non-empty `input`.'),
  },
  {
    id: 'agents-have-no-generation-config',
    summary: 'Only a request to a model has a generation config.',
    find: (body) =>
      body['agent'] !== undefined && 'generation_config' in body
        ? refuse('/generation_config', '`generation_config` is not supported for agents.')
        : [],
  },
  {
    id: 'background-needs-store',
    summary: 'A background run is stored.',
    find: ({ background, store }) =>
      background === true && store === false
        ? refuse('/background', '`background=true` requires `store=true`.')
        : [],
  },
  {
    id: 'content-in-steps',
    summary: 'Steps of the user and of the model have content, and text is not empty.',
    find: (body) =>
      listSteps(body).flatMap(({ type, content }, index) => {
        if (type !== 'user_input' && type !== 'model_output') return []
        const contents = listObjects(content)
        const isFilled = contents.length > 0 && contents.every(({ text }) => text !== '')
        return isFilled ? [] : refuse(`/input/${index}/content`, 'Step content must not be empty.')
      }),
  },
  {
    id: 'results-have-calls',
    summary: 'Without a stored history, a function result follows its call, and has its name.',
    find: (body) => {
      if (body['previous_interaction_id'] !== undefined) return []
      const called = new Set<unknown>()
      return listSteps(body).flatMap(({ type, id, call_id: callId, name }, index) => {
        if (type === 'function_call') called.add(id)
        if (type !== 'function_result') return []
        if (!called.has(callId))
          return refuse(`/input/${index}/call_id`, `No function call found for call_id ${getText(callId)}.`)
        return getText(name) === '' ? refuse(`/input/${index}/name`, 'Function result must have a name.') : []
      })
    },
  },
  {
    id: 'calls-have-results',
    summary: 'Without a stored history, the steps after function calls are as many results.',
    find: (body) => {
      const open = new Set<unknown>()
      const isBroken = listSteps(body).some(({ type, id, call_id: callId }) => {
        if (type === 'function_call') open.add(id)
        else if (type === 'function_result') open.delete(callId)
        return type === 'user_input' && open.size > 0
      })
      return isBroken || open.size > 0
        ? refuse('/input', 'Please ensure that every function call is followed by its function result.')
        : []
    },
  },
  {
    id: 'stop-sequences',
    summary: `A request has at most ${GOOGLE_MAX_STOP_SEQUENCES} stop sequences.`,
    find: (body) => {
      const { stop_sequences: stops } = getConfig(body)
      return Array.isArray(stops) && stops.length > GOOGLE_MAX_STOP_SEQUENCES
        ? refuse(
            '/generation_config/stop_sequences',
            `the number of stop_sequences must not exceed ${GOOGLE_MAX_STOP_SEQUENCES}`,
          )
        : []
    },
  },
  {
    id: 'tool-choice-needs-functions',
    summary: 'A tool choice needs functions.',
    find: (body) =>
      'tool_choice' in getConfig(body) && listFunctions(body).length === 0
        ? refuse(
            '/generation_config/tool_choice',
            'Function calling config is set without function_declarations.',
          )
        : [],
  },
  {
    id: 'function-names',
    summary:
      'Function names start with a letter or `_` and have at most 128 letters, digits, `_`, `.`, `:` and `-`.',
    find: (body) =>
      listFunctions(body).flatMap(({ name }) =>
        isValidToolName(getText(name), toolNameRule)
          ? []
          : refuse('/tools', `Invalid function name: ${getText(name)}`),
      ),
  },
  {
    id: 'unique-functions',
    summary: 'No two functions have the same name.',
    find: (body) => {
      const [repeated] = findRepeated(listFunctions(body).map(({ name }) => getText(name)))
      return repeated === undefined
        ? []
        : refuse('/tools', `Duplicate function declaration found: ${repeated}`)
    },
  },
  createModelRule('google', 'model-thinking-level', 'The model has the thinking level.', (body, family) => {
    const level = getText(getConfig(body)['thinking_level'])
    const { efforts = modelFactUse.reasoning.efforts, thinkingModes = [] } = family
    const isBudgetModel = efforts.length === 0 && thinkingModes.includes('budget')
    const accepted = isBudgetModel ? (modelFactUse.reasoning.effortsOfBudgetModels ?? []) : efforts
    return level === '' || accepted.includes(level as Effort)
      ? []
      : refuse('/generation_config/thinking_level', `thinking_level ${level} is not supported by this model.`)
  }),
  createModelRule(
    'google',
    'model-signatures',
    'A thought precedes the first function call of a turn.',
    (body, family) => {
      if (family.requiresCallSignatures !== true) return []
      let hasThought = false
      return listSteps(body).flatMap(({ type }, index) => {
        if (type === 'user_input' || type === 'function_result') hasThought = false
        if (type === 'function_call' && !hasThought)
          return refuse(`/input/${index}`, 'Function call is missing a thought signature in the turn.')
        if (type === 'thought' || type === 'function_call') hasThought = true
        return []
      })
    },
  ),
]
