import { dialects, type JsonObject, translateRequest } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { law } from '../law-assertions.ts'
import { wireValue } from '../wire-arbitraries.ts'
import { marked } from './marked-bodies.ts'
import { pairs, SHARE } from './dialect-table.ts'
import { translateAnyResponse } from './translate-any-response.ts'
import { shareOf, shareOfFixtures } from './pair-shares.ts'
import { covers, type Leaf, leavesOf, type Place, pointerTo, setOf } from './json-leaves.ts'

/** The generated bodies of a pair and a direction: requests and responses share the cases of a pair. */
const CASES = Math.max(10, SHARE / 2)

/**
 * Paths that are too general for a loss: the root, a list, or a message. An omitted candidate is an
 * exception.
 */
const tooWide =
  /^$|^\/(messages|tools|candidates|extra)$|^\/messages\/\d+(\/(content|extra))?$|^\/candidates\/\d+\/(content|extra)$/

/**
 * The first wire key of values that mean nothing in another format, by slot: ids, times of the server, and settings of the
 * request that the answer repeats. They are not reported.
 */
const meaninglessKeys: { readonly [slot: string]: ReadonlySet<string | number> } = {
  anthropic: setOf('anthropic_version'),
  'openai-chat': setOf('id completion_time prompt_time queue_time total_time'),
  'openai-chat/response': setOf(
    'created generationId latency_checkpoint request_id system_fingerprint time_info timings',
  ),
  'openai-responses': setOf('id'),
  'openai-responses/response': setOf(
    'completed_at frequency_penalty instructions max_output_tokens max_tool_calls metadata presence_penalty',
    'previous_response_id prompt prompt_cache_key prompt_cache_retention reasoning safety_identifier',
    'system_fingerprint temperature text tool_choice tools top_logprobs top_p user',
  ),
  ollama: setOf('total_duration load_duration prompt_eval_duration eval_duration'),
  'ollama/response': setOf('created_at'),
  // Other names of two counters that are decoded.
  bedrock: setOf('cacheReadInputTokenCount cacheWriteInputTokenCount'),
  'bedrock/response': setOf('metrics'),
  // The billed part of the tokens, which are decoded.
  'cohere/response': setOf('billed_units'),
}

/** The id and the time of a response: some formats have no field for one of them. */
const isResponseIdentity = (at: Place): boolean =>
  at.length === 1 && (at[0] === 'id' || at[0] === 'createdAt')

function isMeaningless(at: Place): boolean {
  if (isResponseIdentity(at)) return true
  const [slot = '', ...keys] = at.slice(at.indexOf('extra') + 1)
  const wireKeys = keys.filter((key, index) => !String(key).startsWith('$') && keys[index - 1] !== '$')
  return at.includes('extra') && meaninglessKeys[slot]?.has(wireKeys[0] ?? '') === true
}

/** Returns true if a text contains a mark. Timestamps are numbers in some formats and strings in the canonical model and in others. */
function containsMark(text: string, mark: string | number): boolean {
  const time = typeof mark === 'number' ? new Date(mark * 1000).toISOString() : undefined
  return text.includes(String(mark)) || (time !== undefined && text.includes(time))
}

/** Returns all text of a body; the text of a file may be base64. */
function readable(body: unknown): string {
  const files = leavesOf(body).flatMap(({ value }) => {
    const [, data] = /^(?:data:[^,]*;base64,)?([\w+/]+={0,2})$/.exec(String(value)) ?? []
    return data === undefined ? [] : [Buffer.from(data, 'base64').toString()]
  })
  return [JSON.stringify(body), ...files].join('\n')
}

const leafContainsMark = ({ value }: Leaf, mark: string | number): boolean =>
  containsMark(String(value), mark)

const directions = [
  ['request', translateRequest, 'decodeRequest'],
  ['response', translateAnyResponse, 'decodeResponse'],
] as const

describe.each(pairs)('from $name no value is lost without a report', (pair) => {
  const { from, to } = pair

  describe.each(directions)('%s', (direction, translate, decode) => {
    /** Some formats have settings in the path that others have in the body. */
    function pathOf(body: JsonObject): string {
      if (direction === 'response') return ''
      const request = dialects[from.name].decodeRequest(body).value
      return dialects[to.name].endpoint({ ...request, model: request.model || 'm' }).path
    }

    function expectAccounted(source: (typeof from.fixtures)['request'][number]): void {
      const { body, marks } = marked(source.body)
      const { value, losses } = translate(body, { from: from.name, to: to.name })
      const output = readable(value)
      const unsaid = marks.filter((mark) => !containsMark(output, mark))
      const path = unsaid.length === 0 ? '' : pathOf(body)
      const missing = unsaid.filter((mark) => !containsMark(path, mark))
      const leaves = leavesOf(dialects[from.name][decode](body).value)
      const named = losses.map(({ path }) => path).filter((path) => !tooWide.test(path))
      const silent = missing.filter((mark) => {
        const at = leaves.filter((leaf) => leafContainsMark(leaf, mark))
        return !at.some(
          (leaf) => isMeaningless(leaf.at) || named.some((path) => covers(path, pointerTo(leaf.at))),
        )
      })
      const where = silent.map((mark) =>
        leaves.filter((leaf) => leafContainsMark(leaf, mark)).map((leaf) => pointerTo(leaf.at)),
      )
      expect(where, source.name).toEqual([])
    }

    test.each(shareOfFixtures(pair, from.fixtures[direction]))('$name', (each) => expectAccounted(each))

    test.each(from.row.widest[direction])('generated after %s', (schema) => {
      law(wireValue(schema), (body) => expectAccounted({ name: schema, body: body as JsonObject }), CASES)
    })

    test.skipIf(from.recordings[direction].length === 0)('recorded bodies', () => {
      for (const each of shareOf(pair, from.recordings[direction])) expectAccounted(each)
    })
  })
})
