import {
  accumulate,
  type DialectName,
  dialects,
  type JsonObject,
  toEvents,
  translateResponse,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { encodeStreamText, source } from './stream-responses.ts'

/** The same code execution and web search, as each provider answers. */
const answers: { readonly [name in 'anthropic' | 'gemini' | 'openai-responses']: JsonObject } = {
  anthropic: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-5',
    content: [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'code_execution', input: { code: 'print(5)' } },
      {
        type: 'code_execution_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: { type: 'code_execution_result', stdout: '5\n', stderr: '', return_code: 0, content: [] },
      },
      { type: 'server_tool_use', id: 'srvtoolu_2', name: 'web_search', input: { query: 'snow' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_2',
        content: [
          {
            type: 'web_search_result',
            url: 'https://yr.no',
            title: 'Yr',
            encrypted_content: 'sealed',
            page_age: null,
          },
        ],
      },
      { type: 'text', text: 'It is 5.' },
    ],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  gemini: {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { executableCode: { language: 'PYTHON', code: 'print(5)' } },
            { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '5\n' } },
            { text: 'It is 5.' },
          ],
        },
        finishReason: 'STOP',
      },
    ],
  },
  'openai-responses': {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'gpt-6-sol',
    status: 'completed',
    output: [
      {
        type: 'code_interpreter_call',
        id: 'ci_1',
        status: 'completed',
        code: 'print(5)',
        container_id: 'cntr_1',
        outputs: [{ type: 'logs', logs: '5\n' }],
      },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'It is 5.', annotations: [], logprobs: [] }],
      },
    ],
  },
}

/** What clients of each format must find for the code and for the search. */
const forms: { readonly [name in DialectName]?: { readonly code: RegExp; readonly search?: RegExp } } = {
  anthropic: {
    code: /"code_execution_result","stdout":"5\\n"/,
    search: /"web_search_result","url":"https:\/\/yr.no"/,
  },
  gemini: { code: /"codeExecutionResult":\{"outcome":"OUTCOME_OK","output":"5\\n"/ },
  'gemini-interactions': {
    code: /"code_execution_result","call_id":"[^"]+","result":"5\\n"/,
    // A result of the search contains no pages.
    search: /"google_search_call".*"queries":\["snow"\].*"google_search_result"/,
  },
  'openai-responses': {
    code: /"code":"print\(5\)".*"logs":"5\\n"/,
    search: /"web_search_call".*"query":"snow","sources":\[\{"type":"url","url":"https:\/\/yr.no"/,
  },
}

const rows = (Object.keys(answers) as (keyof typeof answers)[]).flatMap((from) =>
  (Object.keys(dialects) as DialectName[]).filter((to) => to !== from).map((to) => ({ from, to })),
)

describe.each(rows)('hosted tools of an answer of $from for clients of $to', ({ from, to }) => {
  const hasSearch = from === 'anthropic'

  test('are the hosted tools of the format, or omitted, in complete answers and in streams', async () => {
    const { value, losses } = translateResponse(answers[from], { from, to })
    const wire = JSON.stringify(value)
    const response = dialects[from].decodeResponse(answers[from]).value
    const { text } = await encodeStreamText(to, toEvents(response))
    const [streamed] = (await accumulate(dialects[to].decodeStream(source(text)))).candidates
    const [complete] = dialects[to].decodeResponse(value).value.candidates
    expect(streamed?.content.map(({ type }) => type)).toEqual(complete?.content.map(({ type }) => type))
    const { code, search } = forms[to] ?? {}
    const mapped = losses.filter(({ rule }) => rule === 'hosted-tool').length
    const omitted = losses.filter(({ rule }) => rule === 'dropped-provider-call').length
    const pairs = (code === undefined ? 0 : 1) + (hasSearch && search !== undefined ? 1 : 0)
    expect([mapped, omitted]).toEqual([2 * pairs, 2 * ((hasSearch ? 2 : 1) - pairs)])
    if (code !== undefined) expect(wire).toMatch(code)
    if (hasSearch && search !== undefined) expect(wire).toMatch(search)
    expect(wire).not.toContain('sealed')
  })
})
