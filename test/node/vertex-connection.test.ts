import { createServer, type Server } from 'node:http'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ProviderError, user } from 'interlingua'
import { anthropicDialect } from 'interlingua/dialects/anthropic'
import { connectToVertex } from 'interlingua/node'
import { defineProvider, vertex } from 'interlingua/providers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const SECRET = 'refresh-canary-0123456789'

let server: Server
let folder: string
let credentialsFile: string
let tokenCount = 0
/** What the token server answers. */
let answer: (count: number) => { readonly status: number; readonly body: object }

const grant =
  (seconds: number): typeof answer =>
  (count) => ({ status: 200, body: { access_token: `token-canary-${count}`, expires_in: seconds } })

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      tokenCount += 1
      const { status, body } = answer(tokenCount)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  folder = await mkdtemp(join(tmpdir(), 'vertex-'))
  credentialsFile = join(folder, 'credentials.json')
  // Credentials of workforce identities name their token server; those of other kinds use Google's.
  const credentials = {
    type: 'external_account_authorized_user',
    audience: '//iam.googleapis.com/locations/global/workforcePools/pool/providers/provider',
    client_id: 'client',
    client_secret: 'secret-canary',
    refresh_token: SECRET,
    token_url: `http://127.0.0.1:${port}/token`,
    token_info_url: `http://127.0.0.1:${port}/info`,
  }
  await writeFile(credentialsFile, JSON.stringify(credentials))
})

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

beforeEach(() => {
  tokenCount = 0
  answer = grant(3600)
})

interface Sent {
  readonly url: string
  readonly authorization: string | null
}

/** Records requests and answers each with a body. */
function record(body: object): { readonly sent: Sent[]; readonly fetch: typeof globalThis.fetch } {
  const sent: Sent[] = []
  return {
    sent,
    fetch: async (input, init) => {
      const url = input instanceof Request ? input.url : String(input)
      sent.push({ url, authorization: new Headers(init?.headers).get('authorization') })
      return Response.json(body)
    },
  }
}

const hello = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
}

describe('models on Vertex AI with Application Default Credentials', () => {
  test('send an access token to the endpoint of the project and the location', async () => {
    const { sent, fetch } = record(hello)
    const connection = await connectToVertex({
      credentialsFile,
      project: 'my-project',
      location: 'europe-west4',
    })
    const model = vertex('gemini-x', { ...connection, fetch })
    expect((await model.generate('Hi')).text).toBe('Hello')
    await model.generate('Hi again')
    const url =
      'https://europe-west4-aiplatform.googleapis.com/v1beta1/projects/my-project/locations/europe-west4/publishers/google/models/gemini-x:generateContent'
    // The token is requested once.
    expect(sent).toEqual(Array.from({ length: 2 }, () => ({ url, authorization: 'Bearer token-canary-1' })))
    expect(tokenCount).toBe(1)
  })

  test('renew a token that expires soon, once for requests at the same time', async () => {
    answer = grant(10)
    const { apiKey, baseUrl } = await connectToVertex({ credentialsFile, project: 'p' })
    expect(baseUrl).toBe('https://aiplatform.googleapis.com/v1beta1/projects/p/locations/global')
    expect(await Promise.all([apiKey(), apiKey(), apiKey()])).toEqual(
      Array.from({ length: 3 }, () => 'token-canary-1'),
    )
    expect(await apiKey()).toBe('token-canary-2')
  })

  test('may be those of Anthropic', async () => {
    const { sent, fetch } = record({
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'Hello' }],
    })
    const connection = await connectToVertex({ credentialsFile, project: 'p', location: 'us-east5' })
    const claude = defineProvider({ name: 'vertex', dialect: anthropicDialect, flavor: 'vertex' })
    const model = claude('claude-x', { ...connection, fetch })
    expect((await model.generate({ messages: [user('Hi')], maxOutputTokens: 9 })).text).toBe('Hello')
    expect(sent[0]?.url).toMatch(/us-east5\/publishers\/anthropic\/models\/claude-x:rawPredict$/)
  })
})

describe('a sign-in that fails', () => {
  test('is an error without secrets', async () => {
    answer = () => ({
      status: 400,
      body: { error: 'invalid_grant', error_description: `The token ${SECRET} is revoked` },
    })
    const { fetch } = record(hello)
    const connection = await connectToVertex({ credentialsFile, project: 'p' })
    const error: unknown = await vertex('gemini-x', { ...connection, fetch })
      .generate('Hi')
      .catch((each: unknown) => each)
    expect(error).toBeInstanceOf(ProviderError)
    expect(error).toMatchObject({ kind: 'authentication', hint: expect.stringContaining('gcloud') as string })
    const { inspect } = await import('node:util')
    expect(inspect(error, { depth: 9 })).not.toMatch(/canary/)
  })

  test('names the missing credentials', async () => {
    const { apiKey } = await connectToVertex({ credentialsFile: join(folder, 'none.json'), project: 'p' })
    await expect(apiKey()).rejects.toMatchObject({
      kind: 'authentication',
      message: expect.stringContaining('no credentials') as string,
    })
  })

  test('is not tried with a location or a project that would change the URL', async () => {
    for (const options of [{ location: 'x.example/' }, { project: 'a/b' }, { location: '' }])
      await expect(connectToVertex({ project: 'p', ...options })).rejects.toMatchObject({
        code: 'invalid-value',
      })
    await expect(connectToVertex({ region: 'us' } as never)).rejects.toMatchObject({
      code: 'unexpected-field',
    })
  })
})
