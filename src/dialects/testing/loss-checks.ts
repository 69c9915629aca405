import type { Loss } from '../../canonical/model/loss.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { isEqualJson, isObject } from '../../wire/json.ts'
import {
  generateRequest,
  generateResponse,
  listRequestSamples,
  listResponseSamples,
} from './canonical-samples.ts'
import { callDialect, type CheckContext, type ConformanceCheck, isNamedByLoss } from './conformance-check.ts'
import { ConformanceError, createDescription } from './conformance-error.ts'
import { type JsonLeaf, listLeaves, toJsonPointer, omitExtraEverywhere } from './json-leaves.ts'
import { createRandom } from './random.ts'
import { FIXED_IDENTITY, type Subject } from './conformance-subject.ts'
import { findLostText, traceTexts } from './trace-values.ts'

/** Defaults of every provider: a setting with its default may be omitted without a report. */
const DEFAULTS: { readonly [path: string]: unknown } = {
  '/parallelToolCalls': true,
  '/toolChoice': 'auto',
  '/output/type': 'text',
  '/candidateCount': 1,
  '/store': false,
}

/** Lists the checks that encoding omits nothing without a report. */
export function listLossChecks(subject: Subject): readonly ConformanceCheck[] {
  const { runs, seed } = subject
  const requests = listRequestSamples().map(({ name, value }) => createRequestCheck(subject, name, value))
  const responses = listResponseSamples().map(({ name, value }) => createResponseCheck(subject, name, value))
  return [
    ...requests,
    ...responses,
    {
      law: 'no-silent-loss',
      title: `${runs} generated requests and responses are sent completely, or losses are reported`,
      run: () => {
        for (let run = 0; run < runs; run++) {
          const name = `generated with seed ${seed + run}`
          expectRequestSent(subject, name, generateRequest(createRandom(seed + run)))
          expectResponseSent(subject, name, generateResponse(createRandom(seed + run)))
        }
      },
    },
    {
      law: 'application-data',
      title: 'ids, times, metadata and residue of other dialects are not sent',
      run: () => checkApplicationData(subject),
    },
  ]
}

function createRequestCheck(subject: Subject, name: string, request: ChatRequest): ConformanceCheck {
  return {
    law: 'no-silent-loss',
    title: `a request with ${name} is sent completely, or losses are reported`,
    run: () => expectRequestSent(subject, `with ${name}`, request),
  }
}

function createResponseCheck(subject: Subject, name: string, response: ChatResponse): ConformanceCheck {
  return {
    law: 'no-silent-loss',
    title: `a response with ${name} is sent completely, or losses are reported`,
    run: () => expectResponseSent(subject, `with ${name}`, response),
  }
}

function expectRequestSent({ dialect }: Subject, name: string, given: ChatRequest): void {
  const context: CheckContext = { law: 'no-silent-loss', kind: 'request', subject: `a request ${name}` }
  const request = traceTexts(given)
  const encoded = callDialect(context, 'encoding the request', () => dialect.encodeRequest(request))
  // Some formats have settings in the path that others have in the body.
  const path = callDialect(context, 'building the endpoint', () => dialect.endpoint(request).path)
  const decoded = callDialect(context, 'decoding the encoded request', () =>
    dialect.decodeRequest(encoded.value, { ...FIXED_IDENTITY, path }),
  ).value
  expectTextsSent(context, request, decoded, encoded.losses)
  const { messages: _messages, tools: _tools, ...settings } = request
  const lost = findLostSetting(settings, omitExtraEverywhere(decoded), encoded.losses)
  if (lost !== undefined)
    throw new ConformanceError({
      ...context,
      problem: 'a setting is neither found in the encoded request nor reported as a loss',
      path: toJsonPointer(lost.path),
      found: listLeaves(decoded).find((leaf) => toJsonPointer(leaf.path) === toJsonPointer(lost.path))?.value,
      expected: lost.value,
    })
}

function expectResponseSent({ dialect }: Subject, name: string, given: ChatResponse): void {
  const context: CheckContext = { law: 'no-silent-loss', kind: 'response', subject: `a response ${name}` }
  const response = traceTexts(given)
  const encoded = callDialect(context, 'encoding the response', () => dialect.encodeResponse(response))
  const decoded = callDialect(context, 'decoding the encoded response', () =>
    dialect.decodeResponse(encoded.value, FIXED_IDENTITY),
  ).value
  expectTextsSent(context, response, decoded, encoded.losses)
}

function expectTextsSent(
  context: CheckContext,
  given: unknown,
  decoded: unknown,
  losses: readonly Loss[],
): void {
  const lost = findLostText(given, decoded, losses)
  if (lost !== undefined)
    throw new ConformanceError({
      ...context,
      problem: `a text of the ${context.kind} is neither found after encoding and decoding it nor reported as a loss`,
      path: toJsonPointer(lost.path),
      found: undefined,
      expected: lost.value,
    })
  const unnamed = losses.find(({ path, reason }) => typeof path !== 'string' || reason === '')
  if (unnamed !== undefined)
    throw new ConformanceError({
      ...context,
      problem: 'a loss has no path or no reason',
      found: unnamed,
      expected: createDescription('a loss with a path and a reason'),
    })
}

/** Returns the first setting that is lost without a report. */
function findLostSetting(
  settings: object,
  decoded: ChatRequest,
  losses: readonly Loss[],
): JsonLeaf | undefined {
  const sent = new Map(listLeaves(decoded).map(({ path, value }) => [toJsonPointer(path), value]))
  for (const [key, value] of Object.entries(settings) as [string, unknown][]) {
    if (isEqualJson(value, (decoded as unknown as Record<string, unknown>)[key])) continue
    const lost = listLeaves({ [key]: value }).find((leaf) => {
      const pointer = toJsonPointer(leaf.path)
      return (
        sent.get(pointer) !== leaf.value &&
        DEFAULTS[pointer] !== leaf.value &&
        !isNamedByLoss(losses, pointer)
      )
    })
    if (lost !== undefined) return lost
  }
  return undefined
}

/** Texts that must not leave the application. */
const PRIVATE_TEXT = 'private-7391'

function checkApplicationData({ dialect }: Subject): void {
  const context: CheckContext = {
    law: 'application-data',
    kind: 'request',
    subject: 'a request with data of the application',
  }
  const { messages, ...settings } = generateRequest(createRandom(1))
  const request: ChatRequest = {
    ...settings,
    messages: Array.from(messages, (message) => ({
      ...message,
      id: `${PRIVATE_TEXT}-id`,
      parentId: `${PRIVATE_TEXT}-parent`,
      createdAt: '2031-05-06T07:08:09.000Z',
      metadata: { note: `${PRIVATE_TEXT}-metadata` },
      extra: { 'another-dialect': { note: `${PRIVATE_TEXT}-residue` } },
    })),
  }
  const { value, losses } = callDialect(context, 'encoding the request', () => dialect.encodeRequest(request))
  const leaf = listLeaves(value).find((each) => /private-7391|2031-05-06/.test(String(each.value)))
  if (leaf !== undefined)
    throw new ConformanceError({
      ...context,
      problem: 'the body contains data that belongs to the application or to another dialect',
      path: toJsonPointer(leaf.path),
      found: leaf.value,
      expected: createDescription('only content and settings'),
    })
  const pointer = '/messages/0/extra/another-dialect/note'
  if (!isObject(value) || !losses.some(({ path }) => pointer.startsWith(path) && path !== ''))
    throw new ConformanceError({
      ...context,
      law: 'no-silent-loss',
      problem: 'residue of another dialect is omitted without a report',
      path: pointer,
      found: undefined,
      expected: createDescription('a loss with this path'),
    })
}
