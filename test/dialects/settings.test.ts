import {
  type ChatRequest,
  type DialectName,
  dialects,
  type JsonObject,
  type LogprobSettings,
  type OutputFormat,
  type ReasoningSettings,
  system,
  type ToolChoice,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { settings as anthropic } from '../../src/dialects/anthropic/settings.ts'
import { settings as bedrock } from '../../src/dialects/bedrock/settings.ts'
import { settings as cohere } from '../../src/dialects/cohere/settings.ts'
import { settings as gemini } from '../../src/dialects/gemini/settings.ts'
import { settings as interactions } from '../../src/dialects/gemini-interactions/settings.ts'
import { settings as mistral } from '../../src/dialects/mistral/settings.ts'
import { settings as ollama } from '../../src/dialects/ollama/settings.ts'
import { settings as chat } from '../../src/dialects/openai-chat/settings.ts'
import { settings as responses } from '../../src/dialects/openai-responses/settings.ts'
import type { SettingTables, ToolChoiceForm } from '../../src/dialects/engine/setting-tables.ts'

/** The tables, and the options that make every setting of a dialect available. */
const tables: { readonly [name in DialectName]: readonly [SettingTables, object] } = {
  anthropic: [anthropic, { apiVersion: '2023-06-01' }],
  gemini: [gemini, {}],
  ollama: [ollama, {}],
  'openai-chat': [chat, {}],
  'openai-responses': [responses, {}],
  mistral: [mistral, {}],
  'gemini-interactions': [interactions, {}],
  bedrock: [bedrock, {}],
  cohere: [cohere, {}],
}

type Samples<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> }

const input = { type: 'object', properties: {}, required: [], additionalProperties: false }
const tools = ['clock', 'calendar'].map((name) => ({ type: 'function', name, input }) as const)
const plain: ChatRequest = { messages: [user('Hi')] }
const output: OutputFormat = { type: 'json', schema: input }

const requests: Samples<ChatRequest> = {
  model: 'some-model',
  messages: [system('Be brief.'), user('Hello')],
  tools,
  toolChoice: { allowed: ['clock'], mode: 'auto' },
  parallelToolCalls: false,
  output,
  reasoning: { enabled: true, effort: 'high' },
  maxOutputTokens: 99,
  temperature: 0.5,
  topP: 0.5,
  topK: 5,
  stop: ['END'],
  seed: 5,
  presencePenalty: 0.5,
  frequencyPenalty: 0.5,
  candidateCount: 2,
  logprobs: { top: 2 },
  stream: true,
  user: 'user-1',
  metadata: { ticket: '7' },
  verbosity: 'low',
  serviceTier: 'default',
  store: true,
  promptCacheKey: 'session-1',
  safetyIdentifier: 'pseudonym-1',
  extra: {},
}
const reasonings: Samples<ReasoningSettings> = {
  enabled: false,
  effort: 'high',
  budgetTokens: 2048,
  include: true,
  summary: 'detailed',
}
const outputs: Samples<OutputFormat> = {
  type: 'json',
  schema: input,
  name: 'answer',
  description: 'The answer',
  strict: true,
}
const logprobs: Samples<LogprobSettings> = { top: 2 }
const choices: { readonly [form in ToolChoiceForm]: ToolChoice } = {
  auto: 'auto',
  none: 'none',
  required: 'required',
  name: { name: 'clock' },
  allowed: { allowed: ['clock'], mode: 'auto' },
  mode: { allowed: ['clock'], mode: 'required' },
}

/** One setting: its table, its key, and a request without and with it. */
type Case = readonly [table: keyof SettingTables, key: string, without: ChatRequest, with_: ChatRequest]

const needTools = ['toolChoice', 'parallelToolCalls']

const cases: readonly Case[] = [
  ...Object.entries(requests).map(([key, value]): Case => {
    const without = needTools.includes(key) ? { ...plain, tools } : plain
    return ['request', key, without, { ...without, [key]: value }]
  }),
  ...Object.entries(reasonings).map(([key, value]): Case => [
    'reasoning',
    key,
    plain,
    { ...plain, reasoning: { [key]: value } },
  ]),
  ...Object.entries(outputs).map(([key, value]): Case => {
    const without = key === 'type' || key === 'schema' ? plain : { ...plain, output }
    return ['output', key, without, { ...plain, output: { ...output, [key]: value } }]
  }),
  ...Object.entries(logprobs).map(([key, value]): Case => [
    'logprobs',
    key,
    { ...plain, logprobs: {} },
    { ...plain, logprobs: { [key]: value } },
  ]),
  ...Object.entries(choices).map(([key, toolChoice]): Case => [
    'toolChoice',
    key,
    { ...plain, tools },
    { ...plain, tools, toolChoice },
  ]),
]

function valueAt(body: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as JsonObject | undefined)?.[key], body)
}

describe.each(Object.entries(tables))('%s does what its table states', (name, [table, options]) => {
  const encode = (
    request: ChatRequest,
  ): { value: object; losses: readonly { rule: string; path: string }[] } =>
    dialects[name as DialectName].encodeRequest(request, options)

  test.each(cases)('%s: %s', (group, key, without, with_) => {
    const setting = (table[group] as SettingTables['request'])[key as keyof ChatRequest]
    const before = encode(without)
    const { value: body, losses } = encode(with_)
    const path = group === 'request' ? `/${key}` : group === 'toolChoice' ? '/toolChoice' : `/${group}/${key}`
    const parent = group === 'request' ? undefined : table.request[group]
    if (parent?.support === 'unsupported') {
      expect(setting.support).toBe('unsupported')
      return
    }
    if (setting.support === 'unsupported') {
      expect(losses).toContainEqual(expect.objectContaining({ rule: setting.rule, path }))
      if (key !== 'mode') expect(body).toEqual(before.value)
      return
    }
    expect(losses).not.toContainEqual(expect.objectContaining({ rule: 'no-field', path }))
    for (const field of setting.wire) {
      expect(valueAt(body, field), field).not.toEqual(valueAt(before.value, field))
      if (setting.support === 'direct')
        expect(valueAt(body, field)).toEqual(requests[key as keyof ChatRequest])
    }
    if (setting.wire.length === 0) expect(setting.note).toBeDefined()
  })
})
