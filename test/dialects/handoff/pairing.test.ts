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
    title: 'a call of the provider and one of the application in the same turn keep their results apart',
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
    title: 'a call of the provider whose result never came is no orphan elsewhere',
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
    title: 'a call that was never answered gets a result that says so, and the chat goes on',
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
    title: 'text, calls and text stay in the order in which the model made them',
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
    title: 'what was sent once is sent the same again, in whatever order results came',
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
    title: 'one of two calls without a result does not take the other with it',
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
    title: 'a result that no call asked for is told in words, never sent as a result',
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
    title: 'a history that was cut between a call and its result is still one that can be sent',
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
    title: 'a summary in place of calls leaves results that are still told, and none that are refused',
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
    title: 'ids that Claude would refuse are made fit, and given back as they were',
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
    title: 'a call that code of the provider made says so as long as it stays, and only to its provider',
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
