import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { assistant, ProviderError } from 'interlingua'
import { bedrockDialect } from 'interlingua/dialects/bedrock'
import { connectToBedrock } from 'interlingua/node'
import { defineProvider } from 'interlingua/providers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

const bedrock = defineProvider({ name: 'bedrock', dialect: bedrockDialect })
const SECRET = 'secret-canary-0123456789'
const MODEL = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'

interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

let server: Server
let baseUrl = ''
const received: Received[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { url = '', headers } = request
      received.push({ url, headers, body: Buffer.concat(pieces).toString('utf8') })
      response.end(JSON.stringify(bedrockDialect.encodeResponse({ candidates: [assistant('Hi')] }).value))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

beforeEach(() => {
  for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
    vi.stubEnv(name, undefined)
})
afterEach(() => vi.unstubAllEnvs())

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Computes the signature of a request by the documentation of Signature Version 4. */
function computeSignature({ url, headers, body }: Received, secret: string): string {
  const { authorization = '' } = headers
  const [, scope = '', names = ''] =
    /Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+)/.exec(authorization) ?? []
  const signed = names.split(';').map((name) => `${name}:${String(headers[name])}\n`)
  // Each segment of the path is encoded twice, except by S3.
  const path = url.split('/').map(encodeURIComponent).join('/')
  const canonical = ['POST', path, '', signed.join(''), names, hash(body)].join('\n')
  const text = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, hash(canonical)].join('\n')
  const key = scope.split('/').reduce((last: string | Buffer, part) => hmac(last, part), `AWS4${secret}`)
  return hmac(key, text).toString('hex')
}

describe('a connection to Bedrock with AWS credentials', () => {
  test('signs each request with the current credentials, and sends no key', async () => {
    let count = 0
    const connection = await connectToBedrock({
      region: 'eu-central-1',
      credentials: () => ({
        accessKeyId: `AKIA${(count += 1)}`,
        secretAccessKey: SECRET,
        sessionToken: 'token',
      }),
    })
    expect(connection.baseUrl).toBe('https://bedrock-runtime.eu-central-1.amazonaws.com')
    const claude = bedrock(MODEL, { ...connection, baseUrl })
    await claude.generate('Hi')
    const { text } = await claude.generate('Grüße')
    expect(text).toBe('Hi')
    expect(received).toHaveLength(2)
    for (const [index, request] of received.entries()) {
      const { authorization = '' } = request.headers
      expect(authorization).toMatch(
        new RegExp(`^AWS4-HMAC-SHA256 Credential=AKIA${index + 1}/\\d{8}/eu-central-1/bedrock/aws4_request`),
      )
      expect(authorization.endsWith(`Signature=${computeSignature(request, SECRET)}`)).toBe(true)
      expect(request.headers['x-amz-security-token']).toBe('token')
      expect(JSON.stringify(request)).not.toContain(SECRET)
    }
  })

  test('reads the region and the credentials from the environment', async () => {
    vi.stubEnv('AWS_REGION', 'us-west-2')
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAENV')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', SECRET)
    await bedrock(MODEL, { ...(await connectToBedrock()), baseUrl }).generate('Hi')
    expect(received.at(-1)?.headers.authorization).toMatch(/Credential=AKIAENV\/\d{8}\/us-west-2\/bedrock/)
  })

  test.each([undefined, 'us-east-1.evil.example/', 'US EAST'])('refuses the region %j', async (region) => {
    await expect(connectToBedrock(region === undefined ? {} : { region })).rejects.toMatchObject({
      code: 'invalid-value',
      path: '/region',
    })
  })

  test('reports missing credentials without the error of their provider, which may contain secrets', async () => {
    const credentials = (): never => {
      throw new Error(`Could not use ${SECRET}`)
    }
    for (const options of [{}, { credentials }]) {
      const connection = await connectToBedrock({ region: 'us-east-1', ...options })
      const failure = await bedrock(MODEL, { ...connection, baseUrl, retry: { maxAttempts: 1 } })
        .generate('Hi')
        .catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ProviderError)
      expect(failure).toMatchObject({ kind: 'authentication' })
      expect(JSON.stringify(failure) + String((failure as Error).stack)).not.toContain(SECRET)
    }
  })
})
