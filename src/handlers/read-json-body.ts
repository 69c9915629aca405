import { InterlinguaError } from '../errors.ts'
import { tryParseJson, type Json } from '../wire/json.ts'
import { readRequestText } from '../wire/read-request-text.ts'
import { HttpError } from './error-response.ts'

/**
 * Reads the JSON body of a request. A body that is longer than the limit is not read to its end. Other content types
 * are refused, because a page of another site can post them without asking the browser.
 */
export async function readJsonBody(request: Request, maxBytes: number): Promise<Json> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type))
    throw new HttpError(
      415,
      new InterlinguaError('invalid-value', 'The body has the wrong content type', {
        found: type === '' ? 'no content type' : 'another content type',
        expected: 'application/json',
        hint: 'Send the header `content-type: application/json`.',
      }),
    )
  const text = await readRequestText(request, maxBytes)
  if (text === undefined) throw createTooLargeError(maxBytes)
  const value = tryParseJson(text)
  if (value !== undefined) return value
  throw new InterlinguaError('not-json', 'The body is not JSON', {
    found: 'other text',
    expected: 'a JSON object',
    hint: 'Send the body as one JSON object.',
  })
}

function createTooLargeError(maxBytes: number): HttpError {
  return new HttpError(
    413,
    new InterlinguaError('too-many-elements', 'The body is too large', {
      found: `more than ${maxBytes} bytes`,
      expected: `at most ${maxBytes} bytes`,
      hint: 'Send less, or set `maxBodyBytes` of the handler.',
    }),
  )
}
