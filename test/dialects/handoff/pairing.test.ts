import {
  assistant,
  dialects,
  type Message,
  repair,
  system,
  toolCall,
  toolResult,
  toolResults,
  user,
  validate,
} from 'interlingua'
import { expect } from 'vitest'
import { expectSame } from '../../law-assertions.ts'
import { all, asking, eachIssue, rulesOf, sent, textIn, valuesOf } from './public-issues.ts'
import { histories } from './histories.ts'
import { elementsOf, send } from './send.ts'

const { anthropic } = dialects

const oslo = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
const rome = toolCall({ id: 'call_2', name: 'weather', arguments: { city: 'Rome' } })
const searched = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'snow' } }
const found = {
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: [
    {
      type: 'web_search_result',
      url: 'https://example.org/snow',
      title: 'Snow',
      encrypted_content: 'sealed=anthropic=anthropic=1=',
    },
  ],
}

eachIssue('calls, results, ids and their order', [
  {
    issue: 'vercel/ai#8112',
    title: 'a provider call and an application call in the same message keep their own results',
    check() {
      const body = {
        model: 'm',
        max_tokens: 99,
        messages: [
          { role: 'user', content: 'Search and look' },
          {
            role: 'assistant',
            content: [searched, found, { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Snow' }] },
        ],
      }
      const request = anthropic.decodeRequest(body).value
      expectSame(send(request, 'anthropic').body, body)
      const { body: chat } = send(request, 'openai-chat')
      expect(valuesOf(chat, 'tool_call_id')).toEqual(['toolu_1'])
    },
  },
  {
    issue: 'vercel/ai#13533',
    title: 'a provider call without a result is not an orphan for other dialects',
    check() {
      const content = [searched, { type: 'text', text: 'Half of it' }]
      const body = {
        model: 'm',
        max_tokens: 99,
        messages: [
          { role: 'user', content: 'Search' },
          { role: 'assistant', content },
          { role: 'user', content: 'Go on' },
        ],
      }
      const request = anthropic.decodeRequest(body).value
      for (const to of all.filter((name) => name !== 'anthropic'))
        expect(textIn(send(request, to))).not.toContain('srvtoolu_1')
    },
  },
  {
    issue: 'vercel/ai#4584',
    title: 'a call without a result gets one that states this, and the conversation can continue',
    check() {
      const messages = [user('Weather?'), assistant([oslo]), user('Never mind')]
      for (const to of all) {
        const out = sent(to, ...messages)
        expect(rulesOf(out)).toContain('orphan-call')
        expect(textIn(out)).toContain('Never mind')
      }
      expect(validate(messages).map(({ rule }) => rule)).toEqual(['orphan-call'])
      expect(validate(repair(messages))).toEqual([])
    },
  },
  {
    issue: 'vercel/ai#4619',
    title: 'text, calls and text stay in the order in which the model generated them',
    check() {
      const messages = [
        user('Weather?'),
        assistant(['First', oslo, 'then', rome]),
        toolResults([toolResult(oslo, 'Snow'), toolResult(rome, 'Sun')]),
      ]
      const marks = /First|Oslo|then|Rome/g
      for (const to of ['anthropic', 'gemini', 'openai-responses'] as const)
        expect(
          textIn(sent(to, ...messages))
            .match(marks)
            ?.join(' '),
        ).toBe('First Oslo then Rome')
      for (const to of ['openai-chat', 'ollama'] as const)
        expect(rulesOf(sent(to, ...messages))).toContain('order-lost')
    },
  },
  {
    issue: 'vercel/ai#16567',
    title: 'a sent prefix is sent unchanged again, whatever the order of the results',
    check() {
      const before: Message[] = [
        user('Weather?'),
        assistant([oslo, rome]),
        toolResults([toolResult(rome, 'Sun'), toolResult(oslo, 'Snow')]),
        assistant('Snow and sun'),
        user('Thanks'),
      ]
      for (const to of all) {
        const once = elementsOf(to, sent(to, ...before).body)
        const later = elementsOf(to, sent(to, ...before, assistant('Bye'), user('Wait')).body)
        expectSame(later.slice(0, once.length), [...once])
      }
    },
  },
  {
    issue: 'vercel/ai#11415',
    title: 'a call without a result does not remove the other call of its message',
    check() {
      for (const to of all) {
        const out = sent(
          to,
          user('Weather?'),
          assistant([oslo, rome]),
          toolResults([toolResult(rome, 'Sun')]),
        )
        expect(rulesOf(out).filter((rule) => rule === 'orphan-call')).toHaveLength(1)
        expect(textIn(out)).toContain('Sun')
      }
    },
  },
  {
    issue: 'vercel/ai#17366',
    title: 'a result without a call is described as text, never sent as a result',
    check() {
      for (const to of all) {
        const out = sent(to, user('Hi'), toolResults([toolResult(oslo, 'Snow')]), user('Well?'))
        expect(rulesOf(out)).toContain('orphan-result')
        expect(textIn(out)).toContain('Snow')
        expect(textIn(out)).not.toMatch(/tool_call_id|tool_use_id|call_id|functionResponse/)
      }
    },
  },
  {
    issue: 'langchain-ai/langchain#38352',
    title: 'a history that was cut between a call and its result can still be sent',
    check() {
      const cut = [
        system('Be brief'),
        toolResults([toolResult(oslo, 'Snow'), toolResult(rome, 'Sun')]),
        assistant('Snow and sun'),
        user('Thanks'),
      ]
      for (const to of all) expect(textIn(sent(to, ...cut))).toMatch(/Snow.*Sun/)
    },
  },
  {
    issue: 'langchain-ai/langchain#29637',
    title: 'the first of several rounds may be cut off',
    check() {
      const { messages } = anthropic.decodeRequest(histories.anthropic).value
      for (const to of all) {
        for (let from = 1; from < [...messages].length; from += 1)
          send(asking(...[...messages].slice(from)), to)
      }
    },
  },
  {
    issue: 'langchain-ai/deepagents#270',
    title: 'results whose calls were replaced by a summary are described as text, and none is rejected',
    check() {
      const summary = user('Earlier: the weather of two cities was asked for.')
      for (const to of all) {
        const out = sent(
          to,
          summary,
          toolResults([toolResult(oslo, 'Snow')]),
          assistant('Snow'),
          user('Thanks'),
        )
        expect(rulesOf(out)).toContain('orphan-result')
        expect(textIn(out)).toContain('Snow')
      }
    },
  },
  {
    issue: 'BerriAI/litellm#25669',
    title: 'what is in order is left alone',
    check() {
      const messages = [...anthropic.decodeRequest(histories.anthropic).value.messages]
      expect(validate(messages, anthropic)).toEqual([])
      expect(repair(messages, anthropic)).toEqual(messages)
    },
  },
  {
    issue: 'OpenSecretCloud/maple-proxy#18',
    title: 'ids that Claude would reject are converted, and restored for their provider',
    check() {
      const call = toolCall({ id: 'functions.weather:0', name: 'weather', arguments: {} })
      const messages = [user('Weather?'), assistant([call]), toolResults([toolResult(call, 'Snow')])]
      const { body } = sent('anthropic', ...messages)
      const [id] = valuesOf(body, 'tool_use_id')
      expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
      expect(valuesOf(sent('ollama', ...messages).body, 'tool_call_id')).toEqual(['functions.weather:0'])
    },
  },
  {
    issue: 'vercel/ai#12504',
    title: 'the `caller` of a call is sent back to its provider, and to no other',
    check() {
      const caller = { type: 'code_execution_20250825', tool_id: 'srvtoolu_9' }
      const body = {
        model: 'm',
        max_tokens: 99,
        messages: [
          { role: 'user', content: 'Run it' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: {}, caller }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Ran' }] },
        ],
      }
      const request = anthropic.decodeRequest(body).value
      expect(anthropic.encodeRequest(request).value).toEqual(body)
      for (const to of all.filter((name) => name !== 'anthropic'))
        expect(textIn(send(request, to))).not.toContain('srvtoolu_9')
    },
  },
])
