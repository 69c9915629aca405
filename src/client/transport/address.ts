import { InterlinguaError } from '../../errors.ts'
import type { Endpoint } from '../../dialects/dialect.ts'

/**
 * The address of an endpoint below a base URL. Read by the one parser that `fetch` uses; what an endpoint says becomes its
 * path and query alone, so that nothing can leave the base's origin.
 */
export function addressOf(baseUrl: string, { path, query = {} }: Endpoint): URL {
  const url = parseBase(baseUrl)
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

function parseBase(baseUrl: string): URL {
  if (!URL.canParse(baseUrl)) throw unfit('text that is no address')
  const url = new URL(baseUrl)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw unfit('another kind of address')
  if (url.username !== '' || url.password !== '') throw unfit('an address with a name or a password')
  return url
}

/** The base URL is not quoted: it may hold a secret. */
function unfit(found: string): InterlinguaError {
  return new InterlinguaError('invalid-value', 'The base URL cannot be used', {
    path: '/baseUrl',
    found,
    expected: 'an http or https address without credentials, such as https://api.example.com/v1',
    hint: 'Begin with http:// or https://, and give credentials with `apiKey` or `headers`.',
  })
}
