import { type AssistantMessage, dialects, type JsonObject, Messages, text, user } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { answerOf, framed, identity, source } from '../stream-responses.ts'

const { 'openai-responses': responses } = dialects

const thought = (id: string, ...summaries: readonly string[]): JsonObject => ({
  id,
  type: 'reasoning',
  summary: summaries.map((each) => ({ type: 'summary_text', text: each })),
  encrypted_content: `secret of ${id}`,
})
const said = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Snow', annotations: [], logprobs: [] }],
}
const called = {
  id: 'fc_1',
  type: 'function_call',
  call_id: 'call_1',
  name: 'weather',
  arguments: '{}',
  status: 'completed',
}

/** The outputs of responses with reasoning in each possible place. */
const outputs: { readonly [name: string]: readonly JsonObject[] } = {
  'before a text': [thought('rs_1', 'One', 'Two'), said],
  'before a call': [thought('rs_1'), called],
  'before other reasoning': [thought('rs_1', 'One'), thought('rs_2'), said],
  'between a text and a call': [said, thought('rs_1', 'One'), called],
  'as the last item': [said, thought('rs_1', 'One', 'Two')],
  'as the only item': [thought('rs_1')],
}

const body = (output: readonly JsonObject[]): JsonObject => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'gpt-x',
  status: 'completed',
  output,
})

async function streamed(output: readonly JsonObject[]): Promise<AssistantMessage | undefined> {
  const items = output.flatMap((item, index) => [
    { type: 'response.output_item.added', output_index: index, item },
    { type: 'response.output_item.done', output_index: index, item },
  ])
  const wires = [
    { type: 'response.created', response: { ...body([]), status: 'in_progress' } },
    ...items,
    { type: 'response.completed', response: body(output) },
  ]
  const answer = await answerOf(responses.decodeStream(source(framed('openai-responses', wires)), identity))
  return answer.candidates[0]
}

/** Returns what is sent when the answer continues the conversation, and which losses are reported. */
function continued(message: AssistantMessage | undefined): unknown {
  const messages = Messages.of(user('Weather?'), ...(message === undefined ? [] : [message]))
  const { value, losses } = responses.encodeRequest({ model: 'gpt-x', messages })
  return { input: value.input, losses: losses.map(({ rule, path }) => [rule, path]) }
}

/** Edits of an answer that may separate reasoning from the item that followed it. */
const edits: { readonly [name: string]: (message: AssistantMessage) => AssistantMessage } = {
  'is unchanged': (message) => message,
  'ends with another text': (message) => ({ ...message, content: [...message.content, text('More')] }),
  'has another text after its reasoning': (message) => ({
    ...message,
    content: message.content.map((part) => (part.type === 'reasoning' ? part : text('Other'))),
  }),
  'has only its reasoning': (message) => ({
    ...message,
    content: message.content.filter(({ type }) => type === 'reasoning'),
  }),
  'starts with the second part': (message) => ({ ...message, content: message.content.slice(1) }),
}

describe.each(Object.entries(outputs))('reasoning %s', (_place, output) => {
  test.each(Object.entries(edits))(
    'is sent alike, streamed or not, if the answer %s',
    async (_edit, edit) => {
      const whole = responses.decodeResponse(body(output), identity).value.candidates[0]
      const pieces = await streamed(output)
      expect(continued(pieces && edit(pieces))).toEqual(continued(whole && edit(whole)))
    },
  )
})
