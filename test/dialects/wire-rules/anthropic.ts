import { isObject } from '../../../src/wire/json.ts'
import {
  choiceNeedsTools,
  each,
  listOf,
  repeated,
  textOf,
  textsOf,
  type Wire,
  type WireRule,
  without,
} from './rule.ts'

const turnsOf = (body: Wire): readonly Wire[] => listOf(body, 'messages')

/** The blocks of one type in a turn. */
const blocksOf = (turn: Wire | undefined, type: string): readonly Wire[] =>
  listOf(turn, 'content').filter((block) => block['type'] === type)

const callsOf = (turn: Wire | undefined): readonly string[] => textsOf(blocksOf(turn, 'tool_use'), 'id')

const answersOf = (turn: Wire | undefined): readonly string[] =>
  textsOf(blocksOf(turn, 'tool_result'), 'tool_use_id')

/** Whether content says something. */
const says = (content: Wire[string]): boolean =>
  typeof content === 'string' ? content !== '' : Array.isArray(content) && content.length > 0

const eachTurn = (broken: Parameters<typeof each>[1]): WireRule['broken'] => each('messages', broken)

/** What Anthropic's server refuses. */
export const anthropicRules: readonly WireRule[] = [
  {
    id: 'user-first',
    broken: (body) => (turnsOf(body)[0]?.['role'] === 'assistant' ? ['messages/0'] : []),
  },
  {
    id: 'calls-answered',
    broken: eachTurn((turn, index, turns) => without(callsOf(turn), answersOf(turns[index + 1]))),
  },
  {
    id: 'results-answer',
    broken: eachTurn((turn, index, turns) => without(answersOf(turn), callsOf(turns[index - 1]))),
  },
  {
    id: 'results-first',
    broken: eachTurn((turn, index) => {
      const results = listOf(turn, 'content').map((block) => block['type'] === 'tool_result')
      return results.lastIndexOf(true) >= results.filter(Boolean).length ? [`messages/${index}`] : []
    }),
  },
  { id: 'unique-calls', broken: (body) => repeated(turnsOf(body).flatMap(callsOf)) },
  {
    id: 'fit-ids',
    broken: eachTurn((turn) => [...callsOf(turn), ...answersOf(turn)].filter((id) => !/^[\w-]+$/.test(id))),
  },
  {
    id: 'words-in-texts',
    broken: (body) =>
      [...listOf(body, 'system'), ...turnsOf(body).flatMap((turn) => listOf(turn, 'content'))]
        .filter((block) => block['type'] === 'text' && textOf(block['text']).trim() === '')
        .map((block) => JSON.stringify(block)),
  },
  {
    id: 'content-in-turns',
    broken: eachTurn(({ content }, index) =>
      content === '' || (Array.isArray(content) && content.length === 0) ? [`messages/${index}`] : [],
    ),
  },
  {
    id: 'alternation',
    broken: eachTurn(({ role }, index, turns) =>
      role === turns[index - 1]?.['role'] ? [`messages/${index}`] : [],
    ),
  },
  {
    id: 'documents-by-the-user',
    broken: eachTurn((turn, index) =>
      turn['role'] === 'assistant' && blocksOf(turn, 'document').length > 0 ? [`messages/${index}`] : [],
    ),
  },
  {
    id: 'citations-in-answers',
    broken: eachTurn((turn, index) =>
      turn['role'] === 'user' && blocksOf(turn, 'text').some((block) => listOf(block, 'citations').length > 0)
        ? [`messages/${index}`]
        : [],
    ),
  },
  {
    id: 'four-markers',
    broken: (body) => {
      const markers = JSON.stringify(body).split('"cache_control":{').length - 1
      return markers > 4 ? [`${markers} markers`] : []
    },
  },
  {
    id: 'budget',
    broken: ({ thinking, max_tokens: limit }) => {
      const budget = isObject(thinking) ? thinking['budget_tokens'] : undefined
      const fits = typeof budget !== 'number' || (budget >= 1024 && budget < Number(limit))
      return fits ? [] : [`${budget} of ${JSON.stringify(limit)}`]
    },
  },
  {
    id: 'words-in-errors',
    broken: eachTurn((turn) =>
      blocksOf(turn, 'tool_result')
        .filter((block) => block['is_error'] === true && !says(block['content']))
        .map((block) => textOf(block['tool_use_id'])),
    ),
  },
  {
    id: 'no-space-at-the-end',
    broken: (body) => {
      const last = turnsOf(body).at(-1)
      const said = Array.isArray(last?.['content'])
        ? listOf(last, 'content').at(-1)?.['text']
        : last?.['content']
      const trails = last?.['role'] === 'assistant' && /\s$/.test(textOf(said))
      return trails ? ['the last turn'] : []
    },
  },
  {
    id: 'thoughts-begin-the-loop',
    broken: (body) => {
      const { thinking, model } = body
      const turns = turnsOf(body)
      const waits = callsOf(turns.at(-2)).length > 0 || callsOf(turns.at(-1)).length > 0
      const thinks = isObject(thinking) && thinking['type'] === 'enabled'
      if (!thinks || !/claude-\w+-4/.test(textOf(model)) || !waits) return []
      const begun = turns.findLastIndex(
        ({ role }, at) => role === 'user' && answersOf(turns[at]).length === 0,
      )
      const [first] = listOf(turns[begun + 1], 'content')
      return ['thinking', 'redacted_thinking'].includes(textOf(first?.['type']))
        ? []
        : [`messages/${begun + 1}`]
    },
  },
  {
    id: 'thinking-without-force',
    broken: ({ thinking, tool_choice: choice }) => {
      const forced = isObject(choice) && ['any', 'tool'].includes(textOf(choice['type']))
      return isObject(thinking) && thinking['type'] === 'enabled' && forced ? ['tool_choice'] : []
    },
  },
  {
    id: 'thinking-unsampled',
    broken: ({ thinking, ...body }) =>
      isObject(thinking) && thinking['type'] !== 'disabled'
        ? ['temperature', 'top_p', 'top_k'].filter((key) => key in body)
        : [],
  },
  choiceNeedsTools,
  { id: 'unique-tools', broken: (body) => repeated(textsOf(listOf(body, 'tools'), 'name')) },
]
