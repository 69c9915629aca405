// Checked by the compiler: what must not compile is marked with `@ts-expect-error`.
import {
  type ChatRequest,
  type DialectName,
  dialects,
  type LogprobSettings,
  type OutputFormat,
  type Part,
  type PartType,
  type ReasoningSettings,
  type ToolChoice,
} from 'interlingua'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { type ObjectFields, optional } from '../../src/canonical/shape/object.ts'
import { partShapes } from '../../src/canonical/shape/part.ts'
import { stringShape } from '../../src/canonical/shape/shape.ts'
import { settings as anthropic } from '../../src/dialects/anthropic/settings.ts'
import { settings as bedrock } from '../../src/dialects/bedrock/settings.ts'
import { settings as cohere } from '../../src/dialects/cohere/settings.ts'
import { settings as gemini } from '../../src/dialects/gemini/settings.ts'
import { settings as interactions } from '../../src/dialects/gemini-interactions/settings.ts'
import { settings as mistral } from '../../src/dialects/mistral/settings.ts'
import { settings as ollama } from '../../src/dialects/ollama/settings.ts'
import { settings as chat } from '../../src/dialects/openai-chat/settings.ts'
import { settings as responses } from '../../src/dialects/openai-responses/settings.ts'
import {
  directSetting,
  convertedSetting,
  valueChecks,
  type SettingTables,
  type SettingSupportTable,
  type ToolChoiceForm,
  unsupportedSetting,
} from '../../src/dialects/engine/setting-tables.ts'

const root = join(import.meta.dirname, '../..')
const tables: { readonly [name in DialectName]: SettingTables } = {
  anthropic,
  bedrock,
  cohere,
  gemini,
  'gemini-interactions': interactions,
  mistral,
  ollama,
  'openai-chat': chat,
  'openai-responses': responses,
}

describe('a setting that a dialect does not state does not compile', () => {
  type Fake<T> = T & { readonly fakeSetting?: string }

  test('in the table of each dialect', () => {
    type Stated = SettingSupportTable<Fake<ChatRequest>>
    const found: { readonly [name in DialectName]: Stated } = {
      // @ts-expect-error anthropic does not state what it does with fakeSetting
      anthropic: anthropic.request,
      // @ts-expect-error bedrock does not state what it does with fakeSetting
      bedrock: bedrock.request,
      // @ts-expect-error cohere does not state what it does with fakeSetting
      cohere: cohere.request,
      // @ts-expect-error gemini does not state what it does with fakeSetting
      gemini: gemini.request,
      // @ts-expect-error gemini-interactions does not state what it does with fakeSetting
      'gemini-interactions': interactions.request,
      // @ts-expect-error mistral does not state what it does with fakeSetting
      mistral: mistral.request,
      // @ts-expect-error ollama does not state what it does with fakeSetting
      ollama: ollama.request,
      // @ts-expect-error openai-chat does not state what it does with fakeSetting
      'openai-chat': chat.request,
      // @ts-expect-error openai-responses does not state what it does with fakeSetting
      'openai-responses': responses.request,
    }
    for (const [name, { request }] of Object.entries(tables)) expect(Reflect.get(found, name)).toBe(request)
    expect(Object.keys(found).toSorted()).toEqual(Object.keys(dialects).toSorted())
    const stated: Stated = {
      ...chat.request,
      fakeSetting: unsupportedSetting(),
    }
    expect(stated.fakeSetting.support).toBe('unsupported')
  })

  test('nested settings included', () => {
    // @ts-expect-error a field of `reasoning`
    const reasoning: SettingSupportTable<Fake<ReasoningSettings>> = chat.reasoning
    // @ts-expect-error a field of `output`
    const output: SettingSupportTable<Fake<OutputFormat>> = chat.output
    // @ts-expect-error a field of `logprobs`
    const logprobs: SettingSupportTable<Fake<LogprobSettings>> = chat.logprobs
    type Choices = { readonly [form in ToolChoiceForm<ToolChoice | 'any' | { mcp: string }>]: unknown }
    // @ts-expect-error a form of `toolChoice`
    const choices: Choices = chat.toolChoice
    expect([reasoning, output, logprobs, choices]).toHaveLength(4)
    expectTypeOf<ToolChoiceForm>().toEqualTypeOf<'auto' | 'none' | 'required' | 'name' | 'allowed' | 'mode'>()
  })

  test('nor in the stored form', () => {
    type Stored = ObjectFields<Pick<Fake<ChatRequest>, 'user' | 'fakeSetting'>>
    const user = optional(stringShape)
    // @ts-expect-error the stored form of fakeSetting is missing
    const missing: Stored = { user }
    const whole: Stored = { user, fakeSetting: optional(stringShape) }
    expect(Object.keys({ ...missing, ...whole })).toEqual(['user', 'fakeSetting'])
  })

  test('the tables state every setting, and no other', () => {
    expectTypeOf<keyof SettingTables['request']>().toEqualTypeOf<keyof ChatRequest>()
    expectTypeOf<keyof SettingTables['reasoning']>().toEqualTypeOf<keyof ReasoningSettings>()
    expectTypeOf<keyof SettingTables['output']>().toEqualTypeOf<keyof OutputFormat>()
    const keys = Object.values(tables).map(({ request }) => Object.keys(request).toSorted())
    expect(new Set(keys.map(String)).size).toBe(1)
  })
})

test('the check of a row must fit the type of its setting', () => {
  type Request = SettingTables['request']
  // @ts-expect-error `seed` is a number
  const seed: Request['seed'] = directSetting('seed', valueChecks.string)
  // @ts-expect-error `stop` is a list
  const stop: Request['stop'] = directSetting('stop', valueChecks.string)
  // @ts-expect-error `metadata` has texts
  const metadata: Request['metadata'] = directSetting('metadata', valueChecks.strings)
  // @ts-expect-error `reasoning` is not sent as it is
  const reasoning: Request['reasoning'] = directSetting('reasoning', valueChecks.labels)
  const right: Pick<Request, 'seed' | 'stop' | 'stream' | 'metadata' | 'reasoning'> = {
    seed: directSetting('seed', valueChecks.integer),
    stop: directSetting('stop', valueChecks.strings),
    stream: directSetting('stream', valueChecks.boolean),
    metadata: directSetting('metadata', valueChecks.labels),
    reasoning: convertedSetting(['reasoning']),
  }
  expect([seed, stop, metadata, reasoning, ...Object.values(right)]).toHaveLength(9)
})

test('no other table of the package has a row for each provider', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /in (?:ProviderName|CompatibleHost)\]|Record<(?:ProviderName|CompatibleHost)/.test(
      file.endsWith('.ts') ? readFileSync(join(root, 'src', file), 'utf8') : '',
    ),
  )
  // The providers are made of the rows. The tests have one table, test/providers/fakes/table.ts.
  const rows = ['providers/compatible-hosts.ts', 'providers/provider-table.ts']
  expect(files.toSorted()).toEqual(['providers/built-in-providers.ts', ...rows])
})

describe('a part type that a place does not decide about does not compile', () => {
  test('in a table', () => {
    type Shapes = { readonly [type in PartType | 'fake']: unknown }
    // @ts-expect-error the shape of `fake` is missing
    const shapes: Shapes = partShapes
    expectTypeOf<keyof typeof partShapes>().toEqualTypeOf<PartType>()
    expect(shapes).toBe(partShapes)
  })

  test('in a switch, even where undefined may be returned', () => {
    // @ts-expect-error TS7030: only `noImplicitReturns` reports this one
    function encode(part: Part): string | undefined {
      // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the missing case is what this test needs
      switch (part.type) {
        case 'text':
        case 'reasoning':
        case 'refusal':
          return part.text
        case 'image':
        case 'audio':
        case 'video':
        case 'file':
        case 'tool-call':
        case 'tool-result':
        case 'opaque':
          return undefined
      }
    }
    expect(encode({ type: 'json', value: 1 })).toBeUndefined()
  })

  test('no switch over types has a default, which would decide in silence', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    )
    const over = files.filter((file) => {
      const source = readFileSync(join(root, 'src', file), 'utf8')
      return /switch \(\w+\.type\)/.test(source) && /^ *default:/m.test(source)
    })
    expect(files.length).toBeGreaterThan(400)
    expect(over).toEqual([])
  })
})

describe('a typo in a loss rule', () => {
  test('does not compile where a setting is declared unsupported', () => {
    // @ts-expect-error: the id has a typo
    expect(unsupportedSetting('no-feild').rule).toBe('no-feild')
    expect(unsupportedSetting('no-field').rule).toBe('no-field')
  })
})
