import type { JsonObject } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { subjects } from '../dialect-table.ts'
import { brokenRules } from './rule.ts'

const text = (words: string): JsonObject => ({ type: 'text', text: words })
const user = (...content: readonly JsonObject[]): JsonObject => ({ role: 'user', content })
const said = (...content: readonly JsonObject[]): JsonObject => ({ role: 'assistant', content })
const use = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'f', input: {} })
const result = (id: string): JsonObject => ({ type: 'tool_result', tool_use_id: id })
const call = (id: string): JsonObject => {
  return { id, type: 'function', function: { name: 'f', arguments: '{}' } }
}
const asked = (...ids: readonly string[]): JsonObject => {
  return { role: 'assistant', content: null, tool_calls: ids.map(call) }
}
const answer = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: 'x' })
const named = (name: string): JsonObject => ({ type: 'function', function: { name } })
const marked = { ...text('Hi'), cache_control: { type: 'ephemeral' } }

const item = (id: string): JsonObject => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' })
const output = (id: string): JsonObject => ({ type: 'function_call_output', call_id: id, output: 'x' })

const spoken = (role: string, ...parts: readonly JsonObject[]): JsonObject => ({ role, parts })

/** A body that breaks each rule, by dialect: a rule that nothing breaks would show nothing. */
const broken: { readonly [dialect: string]: { readonly [rule: string]: JsonObject } } = {
  anthropic: {
    'user-first': { messages: [said(text('Hi'))] },
    'calls-answered': { messages: [user(text('Hi')), said(use('a'), use('b')), user(result('a'))] },
    'results-answer': { messages: [user(result('a'))] },
    'results-first': { messages: [said(use('a'), use('b')), user(result('a'), text('x'), result('b'))] },
    'unique-calls': { messages: [said(use('a')), user(result('a')), said(use('a')), user(result('a'))] },
    'fit-ids': { messages: [said(use('a.b')), user(result('a.b'))] },
    'words-in-texts': { messages: [user(text(' '))] },
    'content-in-turns': { messages: [{ role: 'user', content: '' }] },
    alternation: { messages: [user(text('a')), user(text('b'))] },
    'documents-by-the-user': { messages: [user(text('a')), said({ type: 'document' })] },
    'citations-in-answers': { messages: [user({ ...text('a'), citations: [{}] })] },
    'four-markers': { messages: [user(marked, marked, marked, marked, marked)] },
    budget: { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 2000 } },
    'words-in-errors': { messages: [said(use('a')), user({ ...result('a'), is_error: true })] },
    'no-space-at-the-end': { messages: [user(text('a')), said(text('b '))] },
    'thoughts-begin-the-loop': {
      model: 'claude-sonnet-4-5',
      thinking: { type: 'enabled', budget_tokens: 2000 },
      messages: [user(text('a')), said(use('a')), user(result('a'))],
    },
    'thinking-without-force': { thinking: { type: 'enabled' }, tool_choice: { type: 'any' } },
    'thinking-unsampled': { thinking: { type: 'adaptive' }, top_p: 0.5 },
    'choice-needs-tools': { tool_choice: { type: 'any' } },
    'unique-tools': { tools: [{ name: 'f' }, { name: 'f' }] },
  },
  gemini: {
    'user-first': { contents: [spoken('model', { text: 'Hi' })] },
    'one-answer': { contents: [spoken('model', { text: 'a' }), spoken('model', { text: 'b' })] },
    'results-follow-calls': {
      contents: [spoken('model', { functionCall: {} }), spoken('user', { text: 'x' })],
    },
    'parts-in-contents': { contents: [spoken('user')] },
    'words-in-texts': { contents: [spoken('user', { text: '' })] },
    'first-call-signed': { contents: [spoken('model', { functionCall: {} })] },
    'references-name-parts': {
      contents: [spoken('user', { functionResponse: { response: { $ref: '#/$defs/a' } } })],
    },
    'choice-needs-functions': { toolConfig: {}, tools: [{ googleSearch: {} }] },
  },
  'openai-responses': {
    'calls-answered': { input: [item('a')] },
    'outputs-answer': { input: [output('a')] },
    'unique-calls': { input: [item('a'), output('a'), item('a'), output('a')] },
    'one-output': { input: [item('a'), output('a'), output('a')] },
    'answers-after-calls': { input: [output('a'), item('a')] },
    'short-ids': { input: [item('a.b'), output('a.b')] },
    'thoughts-lead': {
      input: [
        { type: 'reasoning', id: 'rs_1' },
        { role: 'user', content: 'Hi' },
      ],
    },
    'named-by-type': { input: [{ type: 'reasoning', id: 'msg_1' }, item('a'), output('a')] },
    'fit-names': { input: [{ ...item('a'), name: 'a.b' }, output('a')] },
    'unique-tools': { tools: [{ name: 'f' }, { name: 'f' }] },
    'choice-needs-tools': { tool_choice: 'required' },
  },
  'openai-chat': {
    'calls-answered': {
      messages: [asked('a', 'b'), answer('a'), { role: 'user', content: 'Hi' }, answer('b')],
    },
    'results-answer': { messages: [{ role: 'user', content: 'Hi' }, answer('a')] },
    'short-ids': { messages: [asked('x'.repeat(41)), answer('x'.repeat(41))] },
    'fit-names': { tools: [named('a.b')] },
    'unique-tools': { tools: [named('f'), named('f')] },
    'content-in-messages': { messages: [{ role: 'assistant', content: null }] },
    'four-stops': { stop: ['a', 'b', 'c', 'd', 'e'] },
    'choice-needs-tools': { tool_choice: 'auto', tools: [] },
    'options-need-stream': { stream_options: { include_usage: true } },
  },
}

describe.each(subjects)("the rules of $name's server", ({ name, row, valid }) => {
  const bodies = broken[name] ?? {}

  test('each has a body that breaks it', () => {
    expect(Object.keys(bodies)).toEqual(row.rules.map(({ id }) => id))
  })

  test.each(Object.entries(bodies))('%s', (rule, body) => {
    expect(brokenRules(row.rules, body).filter((text) => text.startsWith(`${rule} `))).not.toEqual([])
  })

  test('the settings of a documented request break none', () => {
    const settings = valid.request.find((each) => each.name === 'settings')?.body
    expect(settings).toBeDefined()
    expect(brokenRules(row.rules, settings ?? {})).toEqual([])
  })
})
