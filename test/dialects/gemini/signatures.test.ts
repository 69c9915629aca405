import {
  assistant,
  type ChatRequest,
  dialects,
  type JsonObject,
  type Message,
  reasoning,
  toolCall,
  toolResult,
  toolResults,
  updatePart,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { expectSame, rulesAndPaths } from '../../law-assertions.ts'
import { requests } from '../bodies/gemini-requests.ts'
import { responses } from '../bodies/gemini-responses.ts'

const { gemini } = dialects

type Contents = readonly { readonly role?: string; readonly parts: readonly JsonObject[] }[]
const contentsOf = (value: JsonObject): Contents => value['contents'] as never
const asked = (messages: readonly Message[], more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'gemini-3-pro',
  messages,
  ...more,
})
const oslo = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
const rome = toolCall({ id: 'call_2', name: 'weather', arguments: { city: 'Rome' } })

describe('signatures', () => {
  const turn = (parts: Parameters<typeof assistant>[0]): readonly Message[] => [
    user('Hi'),
    assistant(parts),
    toolResults([toolResult(oslo, 'Snow'), toolResult(rome, 'Sun')]),
  ]

  test('only the first call that another model made gets the placeholder', () => {
    const out = gemini.encodeRequest(asked(turn([oslo, rome])))
    expect(contentsOf(out.value)[1]?.parts.map((part) => part['thoughtSignature'])).toEqual([
      'skip_thought_signature_validator',
      undefined,
    ])
    expect(rulesAndPaths(out)).toEqual(['signature-placeholder /messages/1/content/0/signature'])
    const old = gemini.encodeRequest(asked(turn([oslo, rome]), { model: 'gemini-2.5-flash' }))
    expect(rulesAndPaths(old)).toEqual([])
  })

  const unsigned = requests['without ids'] ?? {}
  const signaturesFor = (body: JsonObject, model?: string): readonly unknown[] => {
    const request = gemini.decodeRequest(body).value
    const { value } = gemini.encodeRequest(request, model === undefined ? {} : { model })
    return [1, 3].map((index) => contentsOf(value)[index]?.parts[0]?.['thoughtSignature'])
  }

  test.each([
    ['gemini-3-pro', 'skip_thought_signature_validator'],
    ['gemini-of-tomorrow', 'skip_thought_signature_validator'],
    ['gemini-2.5-flash', undefined],
    ['gemma-3-27b-it', undefined],
    ['my-tuned-model', undefined],
  ])('unsigned calls that another model made are sent to %s with %s', (model, signature) => {
    expect(signaturesFor(unsigned, model)).toEqual([signature, signature])
    expect(signaturesFor({ ...unsigned, model: 'models/gemini-2.5-pro' }, model)).toEqual([
      signature,
      signature,
    ])
  })

  test('unsigned calls that the same model accepted stay unsigned, and further ones get the placeholder', () => {
    const body = { ...unsigned, model: 'models/gemini-3-pro' }
    const request = gemini.decodeRequest(body).value
    expectSame(gemini.encodeRequest(request).value, body)
    const next = gemini.encodeRequest({ ...request, messages: [...request.messages, ...turn([oslo, rome])] })
    const signatures = contentsOf(next.value).map(({ parts }) => parts[0]?.['thoughtSignature'])
    expect(signatures.filter((value) => value !== undefined)).toEqual(['skip_thought_signature_validator'])
  })

  test('a single message is encoded by the facts of its model', () => {
    const encode = (model: string): unknown => gemini.encodeMessage(assistant([oslo]), { model }).value
    expect(encode('gemini-3-pro')).not.toEqual(encode('gemini-2.5-pro'))
  })

  test('the signature of an edited call is replaced by the placeholder', () => {
    const [message] = gemini.decodeResponse(responses['calls']).value.candidates
    const call = message?.content[2]
    if (message === undefined || call?.type !== 'tool-call') return expect.fail('there is a call')
    const content = message.content.with(2, updatePart(call, { arguments: { city: 'Bergen' } }))
    const sent = (answer: Message): unknown =>
      contentsOf(gemini.encodeRequest(asked([user('Hi'), answer])).value)[1]?.parts[2]
    expect(sent(message)).toMatchObject({ thoughtSignature: 'c2lnbmVk' })
    expect(sent({ ...message, content })).toMatchObject({
      thoughtSignature: 'skip_thought_signature_validator',
    })
  })

  test('foreign reasoning is omitted from a request and part of a response', () => {
    const thought = reasoning('Hm.', { signature: { vendor: 'anthropic', value: 'sig' } })
    const request = gemini.encodeRequest(asked([user('Hi'), assistant([thought, 'Hello']), user('So')]))
    expect(JSON.stringify(request.value)).not.toContain('Hm.')
    expect(rulesAndPaths(request)).toEqual(['foreign-reasoning /messages/1/content/0'])
    const answer = gemini.encodeResponse({ candidates: [assistant([thought, 'Hello'])] })
    expect(answer.value.candidates?.[0]?.content?.parts[0]).toEqual({ text: 'Hm.', thought: true })
    expect(rulesAndPaths(answer)).toEqual(['foreign-signature /candidates/0/content/0/signature'])
  })
})
