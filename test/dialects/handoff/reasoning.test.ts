import {
  assistant,
  dialects,
  type JsonObject,
  reasoning,
  reasoningOf,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { expect } from 'vitest'
import { answers } from './responses.ts'
import { asking, chunk, eachIssue, sent, streamed, textIn, valuesOf } from './public-issues.ts'
import { histories } from './histories.ts'
import { answered, elementsOf, send } from './send.ts'
import { cipher, ciphersIn } from './ciphertexts.ts'

const { anthropic, gemini, 'openai-chat': chat, 'openai-responses': responses } = dialects

const thoughts = (token: string): ReturnType<typeof reasoning> =>
  reasoning('In short', { summary: true, signature: { vendor: 'openai', value: token } })
const start = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
}
const stop = [
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 5 },
  },
  { type: 'message_stop' },
]

eachIssue('reasoning and its signatures', [
  {
    issue: 'vercel/ai#7099',
    title: 'a reasoning item whose following item was removed is omitted',
    check() {
      const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' }
      const said = { role: 'assistant', content: 'Hello' }
      const body = { model: 'm', input: [{ role: 'user', content: 'Hi' }, item, said] }
      const request = responses.decodeRequest(body).value
      const whole = send(request, 'openai-responses').body
      expect(whole['input']).toEqual(body.input)
      const cut = [...request.messages].map((message) =>
        message.role === 'assistant'
          ? { ...message, content: message.content.filter(({ type }) => type === 'reasoning') }
          : message,
      )
      const out = send({ ...request, messages: [...cut, user('Go on')] }, 'openai-responses')
      expect(valuesOf(out.body, 'encrypted_content')).toEqual([])
      expect(out.losses.map(({ rule }) => rule)).toContain('unpaired-reasoning')
    },
  },
  {
    issue: 'openai/openai-node#1791',
    title: 'reasoning and the message after it are sent back together and in order',
    check() {
      const { body } = send(
        answered(responses.decodeRequest(histories['openai-responses']).value, 'openai-responses'),
        'openai-responses',
      )
      const types = elementsOf('openai-responses', body).map(({ type }) => type)
      const last = types.lastIndexOf('reasoning')
      expect(types.slice(last, last + 3)).toEqual(['reasoning', 'message', 'function_call'])
    },
  },
  {
    issue: 'vercel/ai#10324',
    title: "another vendor's ciphertext is omitted automatically after a switch",
    check() {
      const out = sent('anthropic', user('Think'), assistant([thoughts('sealed'), 'Done']), user('Again'))
      expect(textIn(out)).not.toContain('sealed')
    },
  },
  {
    issue: 'vercel/ai#18511',
    title: 'reasoning of the Responses API is sent back to it',
    check() {
      const request = answered(asking(user('Weather?')), 'openai-responses')
      expect(ciphersIn(send(request, 'openai-responses').body)).toEqual([
        cipher('openai-responses', 'openai', 11),
      ])
    },
  },
  {
    issue: 'vercel/ai#12687',
    title: 'history is sent in full, never as a reference to an item that a server may not have stored',
    check() {
      const { body } = send(answered(asking(user('Weather?')), 'openai-responses'), 'openai-responses')
      expect(valuesOf(body, 'type')).not.toContain('item_reference')
      expect(body).not.toHaveProperty('previous_response_id')
    },
  },
  {
    issue: 'OpenRouterTeam/ai-sdk-provider#423',
    title: 'a signature in a separate event at the end of streamed reasoning is kept',
    async check() {
      const detail = { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0 }
      const response = await streamed('openai-chat', [
        chunk({ role: 'assistant', reasoning_details: [{ ...detail, text: 'Let me think' }] }),
        chunk({ reasoning_details: [{ ...detail, signature: 'token' }] }),
        chunk({ content: 'Done' }, 'stop'),
      ])
      const out = sent('anthropic', user('Think'), ...response.candidates, user('Again'))
      expect(valuesOf(out.body, 'signature')).toEqual(['token'])
      expect(valuesOf(out.body, 'thinking')).toEqual(['Let me think'])
    },
  },
  {
    issue: 'langchain-ai/langchainjs#10744',
    title: 'streamed reasoning is sent back with its text and its signature',
    async check() {
      const delta = (fields: JsonObject): JsonObject => ({
        type: 'content_block_delta',
        index: 0,
        delta: fields,
      })
      const response = await streamed(
        'anthropic',
        [
          start,
          {
            type: 'content_block_start',
            index: 0,
            content_block: { type: 'thinking', thinking: '', signature: '' },
          },
          delta({ type: 'thinking_delta', thinking: 'Let me ' }),
          delta({ type: 'thinking_delta', thinking: 'think' }),
          delta({ type: 'signature_delta', signature: 'token' }),
          { type: 'content_block_stop', index: 0 },
          ...stop,
        ],
        true,
      )
      const out = sent('anthropic', user('Think'), ...response.candidates, user('Again'))
      expect(elementsOf('anthropic', out.body)[1]?.['content']).toEqual([
        { type: 'thinking', thinking: 'Let me think', signature: 'token' },
      ])
    },
  },
  {
    issue: 'langchain-ai/langchainjs#9683',
    title: 'a signature on a streamed call of Gemini is sent back on that call',
    async check() {
      const call = { functionCall: { name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'dG9rZW4=' }
      const response = await streamed('gemini', [
        { candidates: [{ content: { role: 'model', parts: [{ text: 'Let me look' }] }, index: 0 }] },
        { candidates: [{ content: { role: 'model', parts: [call] }, finishReason: 'STOP', index: 0 }] },
      ])
      const [answer] = response.candidates
      const made = answer?.content.find((part) => part.type === 'tool-call') ?? expect.fail()
      const out = sent(
        'gemini',
        user('Weather?'),
        ...response.candidates,
        toolResults([toolResult(made, 'Snow')]),
      )
      expect(textIn(out)).toContain('"thoughtSignature":"dG9rZW4="')
      expect(textIn(out)).not.toContain('skip_thought_signature_validator')
    },
  },
  {
    issue: 'langchain-ai/langchainjs#9935',
    title: 'reasoning has the same part type for every provider',
    check() {
      const types = (['anthropic', 'gemini', 'ollama', 'openai-responses'] as const).map(
        (name) => dialects[name].decodeResponse(answers[name]).value.candidates[0]?.content[0]?.type,
      )
      expect(types).toEqual(['reasoning', 'reasoning', 'reasoning', 'reasoning'])
    },
  },
  {
    issue: 'mastra-ai/mastra#14559',
    title: 'signatures survive being stored as JSON',
    check() {
      const request = anthropic.decodeRequest(histories.anthropic).value
      const stored = JSON.parse(JSON.stringify(request)) as typeof request
      expect(send(stored, 'anthropic').body).toEqual(histories.anthropic)
    },
  },
  {
    issue: 'mastra-ai/mastra#15294',
    title: 'parallel calls of Gemini stay in one message, with their signature unchanged',
    check() {
      const request = answered(asking(user('Weather?')), 'gemini')
      const { body } = send(request, 'gemini')
      const turns = elementsOf('gemini', body).filter(({ role }) => role === 'model')
      expect(turns.map((turn) => valuesOf(turn, 'functionCall').length)).toEqual([2])
      expect(valuesOf(body, 'thoughtSignature')).toEqual([cipher('gemini', 'google', 11)])
    },
  },
  {
    issue: 'openai/openai-agents-js#770',
    title: 'thinking is sent back to Claude before the call that followed it',
    check() {
      const { body } = send(answered(asking(user('Weather?')), 'anthropic'), 'anthropic')
      const content = elementsOf('anthropic', body)[1]?.['content'] as readonly { readonly type: string }[]
      expect(content.map(({ type }) => type)).toEqual([
        'thinking',
        'redacted_thinking',
        'text',
        'tool_use',
        'tool_use',
      ])
    },
  },
  {
    issue: 'BerriAI/litellm#37849',
    title: 'no signature rides in an id',
    check() {
      const request = answered(asking(user('Weather?')), 'gemini')
      for (const name of ['openai-chat', 'openai-responses', 'anthropic', 'ollama'] as const)
        expect(ciphersIn(send(request, name).body)).toEqual([])
    },
  },
  {
    issue: 'BerriAI/litellm#41534',
    title: 'an id that is too long is shortened, the same for call and result, and two ids stay different',
    check() {
      const calls = ['a', 'b'].map((end) =>
        toolCall({ id: `${'x'.repeat(900)}${end}`, name: 'weather', arguments: {} }),
      )
      const results = toolResults(calls.map((call) => toolResult(call, 'Snow')))
      const { body } = sent('openai-responses', user('Weather?'), assistant(calls), results)
      const ids = valuesOf(body, 'call_id') as readonly string[]
      expect(new Set(ids).size).toBe(2)
      expect(ids.slice(0, 2)).toEqual(ids.slice(2))
      expect(Math.max(...ids.map(({ length }) => length))).toBeLessThanOrEqual(64)
    },
  },
  {
    issue: 'BerriAI/litellm#24985',
    title: 'thinking of Claude does not become text of the message',
    check() {
      const { value } = responses.encodeResponse(anthropic.decodeResponse(answers.anthropic).value)
      const said = valuesOf(value.output, 'content').flatMap((content) => valuesOf(content, 'text'))
      expect(said.filter((words) => String(words).includes('ponders'))).toEqual([])
      const out = send(answered(asking(user('Weather?')), 'anthropic'), 'openai-responses')
      expect(textIn(out)).not.toContain('Claude ponders')
    },
  },
  {
    issue: 'TanStack/ai#982',
    title: 'reasoning of compatible hosts is decoded, streamed or not',
    async check() {
      const message = { role: 'assistant', content: 'Done', reasoning_content: 'Let me think' }
      const whole = chat.decodeResponse({ choices: [{ index: 0, message, finish_reason: 'stop' }] }).value
      const parts = await streamed('openai-chat', [
        chunk({ role: 'assistant', reasoning_content: 'Let me ' }),
        chunk({ reasoning_content: 'think' }),
        chunk({ content: 'Done' }, 'stop'),
      ])
      for (const { candidates } of [whole, parts])
        expect(candidates.map(reasoningOf)).toEqual(['Let me think'])
    },
  },
  {
    issue: 'simonw/llm-gemini#119',
    title: 'a signature under the other spelling of its key is decoded, too',
    check() {
      const part = { function_call: { name: 'weather', args: {} }, thought_signature: 'dG9rZW4=' }
      const { value } = gemini.decodeResponse({
        candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      })
      expect(value.candidates[0]?.content[0]?.signature).toMatchObject({
        vendor: 'google',
        value: 'dG9rZW4=',
      })
    },
  },
])
