import type { AssistantMessage, Finish, Origin } from '../../canonical/model/message.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { defineFinishReasonWords } from '../engine/finish-reason-words.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { NAME } from './constants.ts'

/** The APIs of pi: the wire format, and the vendor of the signatures. The first one of a wire format is written. */
const APIS: readonly (readonly [api: string, dialect: string, vendor?: string])[] = [
  ['openai-completions', 'openai-chat'],
  ['openai-responses', 'openai-responses'],
  ['azure-openai-responses', 'openai-responses'],
  ['openai-codex-responses', 'openai-responses'],
  ['anthropic-messages', 'anthropic', 'anthropic'],
  ['bedrock-converse-stream', 'bedrock', 'anthropic'],
  ['google-generative-ai', 'gemini', 'google'],
  ['google-vertex', 'gemini', 'google'],
]

const UNKNOWN = 'unknown'

/** Returns the vendor of the signatures of an API. */
export function getVendor(api: Json | undefined): string | undefined {
  return APIS.find(([each]) => each === api)?.[2]
}

/** Reads where an answer comes from. */
export function readOrigin({ api, provider, model, responseId }: JsonObject): Origin | undefined {
  const pick = (value: Json | undefined): string | undefined =>
    typeof value === 'string' && value !== UNKNOWN ? value : undefined
  const fields = omitUndefined({
    provider: pick(provider),
    model: pick(model),
    responseId: typeof responseId === 'string' ? responseId : undefined,
  })
  if (Object.keys(fields).length === 0) return undefined
  return { dialect: APIS.find(([each]) => each === api)?.[1] ?? NAME, ...fields }
}

/** Returns the API that an answer is written with. */
export function writeApi({ origin, content }: AssistantMessage): string {
  const found = APIS.find(([, dialect]) => dialect === origin?.dialect)?.[0]
  if (found !== undefined) return found
  const vendor = (content as readonly { signature?: { vendor: string } }[]).find(
    ({ signature }) => signature,
  )?.signature
  return APIS.find(([, , each]) => each !== undefined && each === vendor?.vendor)?.[0] ?? 'openai-completions'
}

/** Writes where an answer comes from; pi requires all of the fields. */
export function writeOrigin(message: AssistantMessage): JsonObject {
  const { provider = UNKNOWN, model = UNKNOWN, responseId } = message.origin ?? {}
  return omitUndefined({ api: writeApi(message), provider, model, responseId })
}

const finishWords = /* @__PURE__ */ defineFinishReasonWords(
  [
    ['stop', 'stop'],
    ['toolUse', 'tool-calls'],
    ['length', 'length'],
    ['error', 'error'],
    ['aborted', 'aborted'],
  ],
  { 'content-filter': 'error', refusal: 'stop', pause: 'stop', other: 'stop' },
)

/** Reads why the model stopped. */
export function readFinish(stopReason: Json | undefined): Finish | undefined {
  return finishWords.read(stopReason)
}

/** Writes why the model stopped; pi requires a reason, which the calls of the answer tell. */
export function writeFinish(message: AssistantMessage, path: Path, report: FormatReporter): string {
  if (message.finish !== undefined) return finishWords.write(message.finish, child(path, 'finish'), report)
  return message.content.some(({ type }) => type === 'tool-call') ? 'toolUse' : 'stop'
}

const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }

/** Reads token counts, whose input excludes cached tokens; undefined if all of them are zero. */
export function readUsage(wire: Json | undefined): Usage | undefined {
  if (!isObject(wire)) return undefined
  const pick = (key: string): number | undefined => {
    const value = wire[key]
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  }
  const [input, output, read, write] = ['input', 'output', 'cacheRead', 'cacheWrite'].map(pick)
  if (input === undefined || output === undefined || read === undefined || write === undefined)
    return undefined
  const inputTokens = input + read + write
  if (inputTokens + output === 0) return undefined
  return {
    inputTokens,
    outputTokens: output,
    totalTokens: pick('totalTokens') ?? inputTokens + output,
    cachedInputTokens: read,
    cacheWriteTokens: write,
    ...omitUndefined({ reasoningTokens: pick('reasoning') }),
  }
}

/** Writes token counts; pi requires them, and their cost. */
export function writeUsage(usage: Usage | undefined): JsonObject {
  const { inputTokens = 0, outputTokens = 0, totalTokens = 0 } = usage ?? {}
  const { cachedInputTokens: cacheRead = 0, cacheWriteTokens: cacheWrite = 0, reasoningTokens } = usage ?? {}
  return omitUndefined({
    input: Math.max(inputTokens - cacheRead - cacheWrite, 0),
    output: outputTokens,
    cacheRead,
    cacheWrite,
    reasoning: reasoningTokens,
    totalTokens,
    cost: NO_COST,
  })
}
