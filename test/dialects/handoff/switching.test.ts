import { assistant, dialects, reasoning, text, toolCall, toolResult, toolResults, user } from 'interlingua'
import { expect } from 'vitest'
import { expectSame } from '../../law-assertions.ts'
import { all, asking, eachIssue, rulesOf, sent, textIn, valuesOf } from './public-issues.ts'
import { answers } from './responses.ts'
import { histories } from './histories.ts'
import { answered, elementsOf, send } from './send.ts'
import { ciphersIn } from './ciphertexts.ts'

const { anthropic, gemini, 'openai-chat': chat, 'openai-responses': responses } = dialects

const signedBy = (vendor: string): ReturnType<typeof reasoning> =>
  reasoning('Let me think', { signature: { vendor, value: `token of ${vendor}` } })
const thoughtful = (vendor: string): Parameters<typeof sent>[1][] => [
  user('Think'),
  assistant([signedBy(vendor), 'Done']),
  user('Again'),
]
const weather = toolCall({ id: 'call_abc|fc_def', name: 'weather', arguments: { city: 'Oslo' } })
const round = [user('Weather?'), assistant([weather]), toolResults([toolResult(weather, 'Snow')])]

eachIssue('the model is switched in the middle of a conversation', [
  {
    issue: 'earendil-works/pi#9048',
    title: 'ids with special characters and reasoning of OpenAI are sent to Claude in a valid form',
    check() {
      const thoughts = signedBy('openai')
      const [ask, , results] = round
      if (ask === undefined || results === undefined) return expect.fail()
      const out = sent('anthropic', ask, assistant([thoughts, weather]), results)
      const [id] = valuesOf(out.body, 'tool_use_id')
      expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
      expect(valuesOf(out.body, 'id')).toEqual([id])
      expect(textIn(out)).not.toContain('token of')
      expect(rulesOf(out)).toEqual(expect.arrayContaining(['id-changed', 'foreign-reasoning']))
    },
  },
  {
    issue: 'can1357/oh-my-pi#6379',
    title: 'a message that another vendor signed is not treated as one of Claude',
    check() {
      const out = sent('anthropic', ...thoughtful('moonshot'))
      expect(valuesOf(out.body, 'thinking')).toEqual([])
      expect(rulesOf(out)).toContain('foreign-reasoning')
      // Other vendors use the format of Claude with signatures of their own.
      const wire = { ...answers.anthropic, model: 'kimi-k2-thinking' }
      const [kimi] = anthropic.decodeResponse(wire).value.candidates
      if (kimi === undefined) return expect.fail()
      const messages = [user('Weather?'), kimi, user('Well?')]
      const to = (model: string): ReturnType<typeof send> => send(asking(...messages), 'anthropic', model)
      expect(ciphersIn(to('claude-opus-4-5').body)).toEqual([])
      expect(rulesOf(to('claude-opus-4-5'))).toContain('foreign-reasoning')
      expect(ciphersIn(to('glm-4.7').body)).toEqual([])
      expect(ciphersIn(to('kimi-k2-thinking').body)).toEqual(ciphersIn(wire))
    },
  },
  {
    issue: 'can1357/oh-my-pi#3433',
    title: 'plain reasoning text is kept for its host, after turns of any other',
    check() {
      const message = { role: 'assistant', content: 'Done', reasoning_content: 'Let me think' }
      const body = { model: 'm', messages: [{ role: 'user', content: 'Think' }, message] }
      const request = answered(chat.decodeRequest(body).value, 'anthropic')
      expect(chat.encodeRequest(request).value.messages[1]).toEqual(message)
    },
  },
  {
    issue: 'anomalyco/opencode#6418',
    title: 'reasoning of another vendor can be sent as text instead of being omitted',
    check() {
      const request = asking(...thoughtful('zai'))
      const { value, losses } = anthropic.encodeRequest(request, { foreignReasoning: 'text' })
      expect(JSON.stringify(value)).toContain('Let me think')
      expect(JSON.stringify(value)).not.toContain('token of')
      expect(losses.map(({ rule }) => rule)).toEqual(['reasoning-as-text'])
    },
  },
  {
    issue: 'RooCodeInc/Roo-Code#10461',
    title: 'a signature of Gemini on a call is not sent to Claude',
    check() {
      const out = send(answered(gemini.decodeRequest(histories.gemini).value, 'gemini'), 'anthropic', 'c')
      expect(valuesOf(out.body, 'signature')).toEqual([])
      expect(valuesOf(out.body, 'tool_use_id')).toHaveLength(5)
    },
  },
  {
    issue: 'vybestack/llxprt-code#2335',
    title:
      'reasoning of one Claude model is sent unchanged to another: the server ignores what it cannot read',
    check() {
      const request = anthropic.decodeRequest(histories.anthropic).value
      for (const model of ['claude-opus-4-5', 'claude-sonnet-5', 'claude-fable-5-2']) {
        const { body } = send(request, 'anthropic', model)
        expectSame([...elementsOf('anthropic', body)], histories.anthropic['messages'])
      }
    },
  },
  {
    issue: 'tailcallhq/forgecode#2646',
    title: 'no target gets a signature of another vendor',
    check() {
      for (const to of all) expect(textIn(sent(to, ...thoughtful('unknown')))).not.toContain('token of')
    },
  },
  {
    issue: 'NousResearch/hermes-agent#24401',
    title: 'edited reasoning is sent without its old signature, in the first request and not after a retry',
    check() {
      const edited = { ...signedBy('anthropic'), text: 'Let me think twice' }
      const out = sent('anthropic', user('Think'), assistant([edited, 'Done']), user('Again'))
      expect(textIn(out)).not.toContain('token of')
      expect(rulesOf(out)).toEqual(['stale-signature'])
    },
  },
  {
    issue: 'decolua/9router#4136',
    title: 'a signature belongs to the part that contained it, not to the id of a call',
    check() {
      const call = toolCall({
        id: 'call_1',
        name: 'weather',
        arguments: {},
        signature: { vendor: 'anthropic', value: 'token of claude' },
      })
      const out = sent('gemini', user('Weather?'), assistant([call]), toolResults([toolResult(call, 'Snow')]))
      expect(valuesOf(out.body, 'thoughtSignature')).toEqual(['skip_thought_signature_validator'])
    },
  },
  {
    issue: 'QwenLM/qwen-code#3304',
    title: 'strict hosts get no reasoning field of another host',
    check() {
      const out = sent('openai-chat', ...thoughtful('anthropic'))
      expect(textIn(out)).not.toMatch(/reasoning|thinking/)
    },
  },
  {
    issue: 'VoltAgent/voltagent#707',
    title: 'one history is valid for all models, turn by turn',
    check() {
      let request = asking(user('Weather?'))
      for (const to of [...all, ...all]) {
        send(request, to)
        request = answered(request, to)
      }
      for (const to of all) expect(elementsOf(to, send(request, to).body).length).toBeGreaterThan(20)
    },
  },
  {
    issue: 'vm0-ai/vm0#5446',
    title: 'an application that allows no loss gets the losses of a switch',
    check() {
      const refuse = (): unknown =>
        responses.encodeRequest(asking(...thoughtful('anthropic')), { onLoss: 'error' })
      expect(refuse).toThrow(expect.objectContaining({ code: 'loss-refused' }) as Error)
      const plain = asking(user('Hi'), assistant('Hello'), user('Bye'))
      expect(() => responses.encodeRequest(plain, { onLoss: 'error' })).not.toThrow()
    },
  },
  {
    issue: 'pydantic/pydantic-ai#5869',
    title: 'reasoning is not sent as text without an option',
    check() {
      for (const to of all) expect(textIn(sent(to, ...thoughtful('unknown')))).not.toContain('Let me think')
    },
  },
  {
    issue: 'pydantic/pydantic-ai#895',
    title: 'a call that was received without an id has one for dialects that require it',
    check() {
      const request = gemini.decodeRequest(histories.gemini).value
      const { body } = send(request, 'openai-chat', 'm')
      const ids = valuesOf(body, 'tool_calls').flatMap((calls) => valuesOf(calls, 'id'))
      expect(valuesOf(body, 'tool_call_id')).toEqual(ids)
      expect(new Set(ids).size).toBe(3)
    },
  },
  {
    issue: 'mastra-ai/mastra#23082',
    title: "a provider's search is described as text for another provider, and the conversation can continue",
    check() {
      const request = anthropic.decodeRequest(histories.anthropic).value
      for (const to of all.filter((name) => name !== 'anthropic')) {
        const out = send(request, to, 'm')
        expect(textIn(out)).toContain('https://example.org/snow')
        expect(textIn(out)).not.toContain('srvtoolu_1')
        expect(rulesOf(out)).toContain('foreign-provider-call')
      }
    },
  },
  {
    issue: 'tombii/better-ccflare#52',
    title: 'the reasoning settings of the user stay unchanged when foreign reasoning is omitted',
    check() {
      const request = { ...asking(...thoughtful('openai')), reasoning: { enabled: true, budgetTokens: 2048 } }
      const { value } = anthropic.encodeRequest({ ...request, maxOutputTokens: 4096 })
      expect(value.thinking).toEqual({ type: 'enabled', budget_tokens: 2048 })
    },
  },
  {
    issue: 'router-for-me/CLIProxyAPI#1584',
    title: 'Claude gets its reasoning unchanged after a turn of another vendor',
    check() {
      const body = histories.anthropic
      const { value } = anthropic.encodeRequest(answered(anthropic.decodeRequest(body).value, 'gemini'))
      expectSame(value.messages[1], elementsOf('anthropic', body)[1])
    },
  },
  {
    issue: 'agentgateway/agentgateway#2688',
    title: 'a translation can fail on a loss, with its path in the error',
    check() {
      const request = asking(
        user([text('Hi', { citations: [{ type: 'source', url: 'https://a.example' }] })]),
      )
      const refuse = (): unknown => dialects.ollama.encodeRequest(request, { onLoss: 'error' })
      expect(refuse).toThrow(expect.objectContaining({ path: '/messages/0/content/0/citations' }) as Error)
    },
  },
])
