import type { AssistantPart, ChatRequest, JsonObject, ToolResultPart, UserPart } from 'interlingua'
import { attachSignature } from 'interlingua/content'
import {
  ask,
  call,
  CLOCK,
  conversation,
  type Draft,
  instruct,
  PDF,
  PNG,
  type RequestSource,
  reply,
  result,
  results,
  WAV,
  WEATHER,
} from './golden-source.ts'

const CASES = 6

/** Chooses values; the same seed always chooses the same ones. */
interface Chooser {
  /** Returns a whole number below `limit`. */
  below(limit: number): number
  pick<T>(list: readonly T[]): T
  /** Returns each value with the given probability in percent. */
  some<T>(list: readonly T[], percent: number): readonly T[]
}

/** Creates a chooser with the generator mulberry32, which is short and the same in every language. */
function createChooser(seed: number): Chooser {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (limit: number): number => next() % limit
  return {
    below,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
    some: (list, percent) => list.filter(() => below(100) < percent),
  }
}

const QUESTIONS = ['How warm is it?', 'And now?', 'Compare both cities.', 'Ist das gut? 🙂', 'Explain\nthat.']
const ANSWERS = ['It is mild.', 'Yes, **very** good.', 'I do not know.', '  Indented.', 'Line one\nline two']
const THOUGHTS = ['The user wants a number.', 'Two calls are needed.', 'Check the date first.']
const CITIES = ['Oslo', 'Rome', 'São Paulo', '東京']

const MEDIA: readonly UserPart[] = [
  { type: 'image', source: { kind: 'base64', data: PNG, mediaType: 'image/png' } },
  { type: 'image', source: { kind: 'url', url: 'https://example.org/a.jpg' }, detail: 'low' },
  { type: 'file', source: { kind: 'base64', data: PDF, mediaType: 'application/pdf' }, name: 'a.pdf' },
  { type: 'audio', source: { kind: 'base64', data: WAV, mediaType: 'audio/wav' } },
]

const SIGNERS = [
  { vendor: 'anthropic', value: 'EqQBCgIYAhIM' },
  { vendor: 'openai', value: 'gAAAAABo' },
  { vendor: 'google', value: 'CswBAXLI' },
] as const

const SETTINGS: readonly Partial<ChatRequest>[] = [
  { temperature: 0.2 },
  { maxOutputTokens: 1024 },
  { stop: ['###'] },
  { toolChoice: 'auto' },
  { parallelToolCalls: false },
  { user: 'user-2' },
  { stream: true },
  { reasoning: { effort: 'low' } },
  { seed: 11 },
]

type Drafts = readonly Draft[]

/** Returns a question with media, and the answer to it, with reasoning and with rounds of tools. */
function createTurn(choose: Chooser, turn: number): Drafts {
  const question = ask(choose.pick(QUESTIONS), ...choose.some(MEDIA, 20))
  const rounds = Array.from({ length: choose.below(3) }, (_, round) =>
    createToolRound(choose, `call_${turn}_${round}`),
  )
  return [question, ...rounds.flat(), reply(...createReasoning(choose), choose.pick(ANSWERS))]
}

function createReasoning(choose: Chooser): readonly AssistantPart[] {
  return choose
    .some(SIGNERS, 20)
    .map((signer) => attachSignature({ type: 'reasoning', text: choose.pick(THOUGHTS) }, signer))
}

/** Returns one to three parallel calls and their results. */
function createToolRound(choose: Chooser, id: string): Drafts {
  const calls: AssistantPart[] = []
  const answers: ToolResultPart[] = []
  for (let index = 0; index <= choose.below(3); index += 1) {
    const callId = `${id}_${index}`
    const input: JsonObject = { city: choose.pick(CITIES), days: choose.below(9) }
    const name = choose.pick(['get_weather', 'get_time'])
    calls.push(call(callId, name, name === 'get_time' ? {} : input))
    const content = choose.pick([
      result(callId, name, `${choose.below(40)} degrees`),
      result(callId, name, { type: 'json', value: { degrees: choose.below(40), hint: null } }),
    ])
    answers.push(choose.below(5) === 0 ? { ...content, isError: true } : content)
  }
  return [reply(...createReasoning(choose), ...calls), results(...answers)]
}

function createRequest(seed: number): ChatRequest {
  const choose = createChooser(seed)
  const turns = Array.from({ length: 1 + choose.below(2) }, (_, turn) => createTurn(choose, turn))
  return {
    messages: conversation(
      ...choose.some([instruct('Be brief.')], 70),
      ...turns.flat(),
      ask(choose.pick(QUESTIONS)),
    ),
    tools: [WEATHER, CLOCK],
    ...Object.assign({}, ...choose.some(SETTINGS, 25)),
  }
}

/** Conversations of random turns, with fixed seeds. */
export const generatedRequests: readonly RequestSource[] = Array.from({ length: CASES }, (_, index) => ({
  name: `generated-${String(index + 1).padStart(2, '0')}`,
  description: `A conversation of random turns, generated with the seed ${index + 1}.`,
  request: createRequest(index + 1),
}))
