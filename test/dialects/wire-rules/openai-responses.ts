import {
  choiceNeedsTools,
  each,
  listOf,
  repeated,
  textOf,
  textsOf,
  type Wire,
  type WireRule,
} from './rule.ts'

const itemsOf = (body: Wire): readonly Wire[] => listOf(body, 'input')

const ofType = (body: Wire, types: readonly string[]): readonly Wire[] =>
  itemsOf(body).filter(({ type }) => types.includes(textOf(type)))

const callsOf = (body: Wire): readonly string[] =>
  textsOf(ofType(body, ['function_call', 'custom_tool_call']), 'call_id')

const outputsOf = (body: Wire): readonly string[] =>
  textsOf(ofType(body, ['function_call_output', 'custom_tool_call_output']), 'call_id')

const eachItem = (broken: Parameters<typeof each>[1]): WireRule['broken'] => each('input', broken)

/** What stands for itself: only something that the model did follows its thoughts. */
const isDone = (item: Wire | undefined): boolean =>
  item !== undefined && item['role'] !== 'user' && item['role'] !== 'system' && item['role'] !== 'developer'

/** The prefix of an id, by the type of its item. */
const prefixes: { readonly [type: string]: RegExp } = {
  reasoning: /^rs_/,
  function_call: /^fc_/,
  custom_tool_call: /^ctc_/,
  message: /^msg_/,
}

/** What OpenAI's server refuses in a list of items. */
export const responsesRules: readonly WireRule[] = [
  {
    id: 'calls-answered',
    broken: (body) => callsOf(body).filter((id) => !outputsOf(body).includes(id)),
  },
  {
    id: 'outputs-answer',
    broken: (body) => outputsOf(body).filter((id) => !callsOf(body).includes(id)),
  },
  { id: 'unique-calls', broken: (body) => repeated(callsOf(body)) },
  { id: 'one-output', broken: (body) => repeated(outputsOf(body)) },
  {
    id: 'answers-after-calls',
    broken: eachItem((item, index, all) => {
      const id = textOf(item['call_id'])
      const isOutput = textOf(item['type']).endsWith('call_output')
      const called = all.findIndex((one) => textOf(one['type']).endsWith('_call') && one['call_id'] === id)
      return isOutput && called > index ? [id] : []
    }),
  },
  {
    id: 'short-ids',
    broken: (body) => [...callsOf(body), ...outputsOf(body)].filter((id) => !/^[\w-]{1,64}$/.test(id)),
  },
  {
    id: 'thoughts-lead',
    broken: eachItem(({ type, id }, index, all) => {
      const next = all.slice(index + 1).find((item) => item['type'] !== 'reasoning')
      return type === 'reasoning' && !isDone(next) ? [textOf(id)] : []
    }),
  },
  {
    id: 'named-by-type',
    broken: eachItem(({ type, id }) => {
      const prefix = prefixes[textOf(type)]
      return id !== undefined && prefix?.test(textOf(id)) === false ? [textOf(id)] : []
    }),
  },
  {
    id: 'fit-names',
    broken: (body) =>
      textsOf(ofType(body, ['function_call']), 'name').filter((name) => !/^[\w-]{1,128}$/.test(name)),
  },
  {
    id: 'unique-tools',
    broken: (body) => repeated(textsOf(listOf(body, 'tools'), 'name').filter((name) => name !== '')),
  },
  choiceNeedsTools,
]
