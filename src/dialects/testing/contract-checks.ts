import { Messages } from '../../canonical/collections/messages.ts'
import {
  InterlinguaError,
  PROVIDER_ERROR_KINDS,
  ProviderError,
  type ProviderErrorKind,
} from '../../errors.ts'
import { tryParseJson } from '../../wire/json.ts'
import { generateRequest } from './canonical-samples.ts'
import { callDialect, type CheckContext, type ConformanceCheck, expectEqual } from './conformance-check.ts'
import { ConformanceError, createDescription } from './conformance-error.ts'
import { createRandom } from './random.ts'
import type { Subject } from './conformance-subject.ts'

/** The members of the interface, and their types. */
const MEMBERS: { readonly [name: string]: 'string' | 'object' | 'function' } = {
  name: 'string',
  rules: 'object',
  decodeRequest: 'function',
  encodeRequest: 'function',
  encodeRequestText: 'function',
  decodeResponse: 'function',
  encodeResponse: 'function',
  decodeStream: 'function',
  encodeStream: 'function',
  encodeMessage: 'function',
  encodeTools: 'function',
  decodeUsage: 'function',
  decodeFinish: 'function',
  endpoint: 'function',
  decodeError: 'function',
  encodeError: 'function',
}

/** Statuses, and the kind that every dialect decodes for them if the body says nothing else. */
const STATUS_KINDS: readonly (readonly [status: number, kinds: readonly ProviderErrorKind[]])[] = [
  [400, ['invalid-request']],
  [401, ['authentication']],
  [403, ['permission', 'authentication']],
  [404, ['not-found']],
  [429, ['rate-limit', 'quota', 'overloaded']],
  [500, ['server']],
  [503, ['overloaded', 'server']],
]

/** Bodies of errors that hosts and proxies send. */
const ERROR_BODIES: readonly unknown[] = [
  undefined,
  null,
  '',
  'upstream failure',
  '<html><body>Bad gateway</body></html>',
  {},
  { error: 'No' },
  { error: { message: 'No' } },
  [{ error: { message: 'No' } }],
  { detail: [{ loc: ['body'], msg: 'No' }] },
]

/** Kinds that every provider has a status for. */
const COMMON_KINDS: readonly ProviderErrorKind[] = [
  'authentication',
  'permission',
  'not-found',
  'invalid-request',
  'rate-limit',
  'server',
]

/** Lists the checks of the interface, of its smaller functions, and of errors. */
export function listContractChecks(subject: Subject): readonly ConformanceCheck[] {
  return [
    {
      law: 'interface',
      title: 'the dialect has every member of the interface',
      run: () => checkMembers(subject),
    },
    {
      law: 'samples',
      title: 'there are sample requests and sample responses',
      run: () => checkSamples(subject),
    },
    {
      law: 'interface',
      title: 'encodeRequestText returns the JSON text of encodeRequest, also for a growing conversation',
      run: () => checkRequestText(subject),
    },
    {
      law: 'interface',
      title: 'endpoint returns a path, and headers without secrets',
      run: () => checkEndpoint(subject),
    },
    {
      law: 'interface',
      title: 'the option `model` is the model of the body or of the path',
      run: () => checkModelOption(subject),
    },
    {
      law: 'errors',
      title: 'decodeError returns a typed error for any body',
      run: () => checkDecodedErrors(subject),
    },
    {
      law: 'errors',
      title: 'encodeError keeps the kind of an error',
      run: () => checkEncodedErrors(subject),
    },
  ]
}

const createInterfaceContext = (subject: string): CheckContext => ({
  law: 'interface',
  kind: 'request',
  subject,
})

function checkMembers({ dialect }: Subject): void {
  for (const [name, type] of Object.entries(MEMBERS)) {
    const found = typeof (dialect as unknown as Record<string, unknown>)[name]
    if (found !== type || (name === 'name' && dialect.name === ''))
      throw new ConformanceError({
        ...createInterfaceContext('the dialect'),
        problem: `the member \`${name}\` is missing or has another type`,
        path: `/${name}`,
        found,
        expected: createDescription(name === 'name' ? 'a string that is not empty' : `a ${type}`),
      })
  }
}

/** Without samples most laws would pass because they have nothing to check. */
function checkSamples({ requests, responses }: Subject): void {
  const lists = [
    ['request', requests],
    ['response', responses],
  ] as const
  for (const [kind, list] of lists)
    if (list.length === 0)
      throw new ConformanceError({
        law: 'samples',
        kind,
        subject: 'the samples',
        problem: `there is no sample ${kind}, so that most laws have nothing to check`,
        path: `/samples/${kind}s`,
        found: createDescription('no bodies'),
        expected: createDescription('at least one body that your provider sent or accepts'),
      })
}

function checkRequestText({ dialect, runs, seed }: Subject): void {
  for (let run = 0; run < runs; run++) {
    const context = createInterfaceContext(`a generated request (seed ${seed + run})`)
    const request = generateRequest(createRandom(seed + run))
    const all = [...request.messages]
    let growing = Messages.of()
    for (const message of all) {
      growing = growing.append(message)
      const grown = { ...request, messages: growing }
      const text = callDialect(context, 'encoding the request as text', () =>
        dialect.encodeRequestText(grown),
      ).value
      const body = callDialect(context, 'encoding the request', () =>
        dialect.encodeRequest({ ...request, messages: growing.toArray() }),
      ).value
      const problem = `the JSON text of the first ${growing.size} messages differs from the body`
      expectEqual(context, problem, tryParseJson(text), body)
    }
  }
}

function checkEndpoint({ dialect }: Subject): void {
  const context = createInterfaceContext('the endpoint')
  const request = generateRequest(createRandom(1))
  const { path, headers = {} } = callDialect(context, 'building the endpoint', () =>
    dialect.endpoint(request),
  )
  if (typeof path !== 'string' || !path.startsWith('/'))
    throw new ConformanceError({
      ...context,
      problem: 'the path is not relative to a base URL',
      found: path,
      expected: createDescription('/…'),
    })
  const secret = Object.keys(headers).find((name) => /authorization|api-?key/i.test(name))
  if (secret !== undefined)
    throw new ConformanceError({
      ...context,
      problem: 'the headers contain a credential, which belongs to the provider row',
      found: secret,
      expected: createDescription('headers of the format, such as its version'),
    })
}

/** Callers choose the model by an option: `model('acme:large')` does not change the request. */
function checkModelOption({ dialect }: Subject): void {
  const context = createInterfaceContext('a request with the option `model`')
  const model = 'mdl-by-option'
  const request = generateRequest(createRandom(1))
  const body = callDialect(context, 'encoding the request', () => dialect.encodeRequest(request, { model }))
  const { path } = callDialect(context, 'building the endpoint', () => dialect.endpoint(request, { model }))
  if (!JSON.stringify(body.value).includes(model) && !path.includes(model))
    throw new ConformanceError({
      ...context,
      problem: 'neither the body nor the path contains the model of the options',
      path: '/model',
      found: undefined,
      expected: model,
    })
}

function checkDecodedErrors({ dialect }: Subject): void {
  for (const [status, kinds] of STATUS_KINDS) {
    for (const body of ERROR_BODIES) {
      const subject = `an error with status ${status} and the body ${JSON.stringify(body) ?? 'nothing'}`
      const context: CheckContext = { law: 'errors', kind: 'response', subject }
      const error = callDialect(context, 'decoding the error', () => dialect.decodeError(status, body, {}))
      if (!(error instanceof ProviderError) || !PROVIDER_ERROR_KINDS.includes(error.kind))
        throw new ConformanceError({
          ...context,
          problem: 'the decoded error is not typed',
          found: error,
          expected: createDescription('a ProviderError with one of the known kinds'),
        })
      if (!kinds.includes(error.kind) || error.status !== status)
        throw new ConformanceError({
          ...context,
          problem: 'the decoded error has another kind or status than its response',
          found: createDescription(`${error.kind}, status ${error.status}`),
          expected: createDescription(`${kinds.join(' or ')}, status ${status}`),
        })
    }
  }
}

function checkEncodedErrors({ dialect }: Subject): void {
  for (const kind of COMMON_KINDS) {
    const context: CheckContext = { law: 'errors', kind: 'response', subject: `an error of the kind ${kind}` }
    const { status, headers, body } = callDialect(context, 'encoding the error', () =>
      dialect.encodeError(new ProviderError('Refused by the host', { kind, dialect: 'another-dialect' })),
    )
    const decoded = callDialect(context, 'decoding the encoded error', () =>
      dialect.decodeError(status, body, headers),
    )
    expectEqual(context, 'the kind changes when the error is encoded and decoded', decoded.kind, kind)
  }
  const context: CheckContext = { law: 'errors', kind: 'response', subject: 'an error of the library' }
  const own = new InterlinguaError('invalid-value', 'The value is wrong', { path: '/messages/0' })
  const { status } = callDialect(context, 'encoding the error', () => dialect.encodeError(own))
  if (!(status >= 400 && status < 600))
    throw new ConformanceError({
      ...context,
      problem: 'the status is not that of an error',
      found: status,
      expected: 400,
    })
}
