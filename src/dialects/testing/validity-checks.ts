import { repair } from '../../canonical/check/repair.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { toEvents } from '../../canonical/stream/to-events.ts'
import { isStandardSchema } from '../../schema/schema-source.ts'
import { validateValue } from '../../schema/validate-value.ts'
import type { JsonObject } from '../../wire/json.ts'
import {
  generateRequest,
  generateResponse,
  listRequestSamples,
  listResponseSamples,
} from './canonical-samples.ts'
import { awaitDialect, callDialect, type CheckContext, type ConformanceCheck } from './conformance-check.ts'
import { ConformanceError, createDescription } from './conformance-error.ts'
import type { CheckedBodyKind } from './law-table.ts'
import { createRandom, type RandomInteger } from './random.ts'
import { encodeToText, parsePayloads } from './stream-text.ts'
import { type BodyValidator, FIXED_IDENTITY, type Subject } from './conformance-subject.ts'

/** Lists the checks of the bodies that the dialect writes, for the validators that the caller passed in. */
export function listValidityChecks(subject: Subject): readonly ConformanceCheck[] {
  const { request, response, streamPayload } = subject.validate
  return [
    ...(request === undefined ? [] : listRequestChecks(subject, request)),
    ...(response === undefined ? [] : listResponseChecks(subject, response)),
    ...(streamPayload === undefined ? [] : listStreamChecks(subject, streamPayload)),
  ]
}

function createCheck(
  kind: CheckedBodyKind,
  subject: string,
  run: (context: CheckContext) => Promise<void>,
): ConformanceCheck {
  return { law: 'valid', title: `${subject} is valid`, run: () => run({ law: 'valid', kind, subject }) }
}

function listRequestChecks(subject: Subject, validator: BodyValidator): readonly ConformanceCheck[] {
  const { dialect, requests, runs, seed } = subject
  const expectEncodedValid = (context: CheckContext, request: ChatRequest): Promise<void> => {
    const encoded = callDialect(context, 'encoding the request', () => dialect.encodeRequest(request))
    return expectValid(context, validator, encoded.value)
  }
  return [
    ...requests.map(({ name, body }) =>
      createCheck('request', `the sample request "${name}"`, (context) =>
        expectValid(context, validator, body),
      ),
    ),
    ...listRequestSamples().map(({ name, value }) =>
      createCheck('request', `an encoded request with ${name}`, (context) =>
        expectEncodedValid(context, value),
      ),
    ),
    createCheck('request', `each of ${runs} generated requests`, async (context) => {
      for (let run = 0; run < runs; run++)
        await expectEncodedValid(withSeed(context, seed + run), generateRequest(createRandom(seed + run)))
    }),
    ...requests.map(({ name, body }) =>
      createCheck('request', `request "${name}" with messages removed and reordered`, async (context) => {
        const request = callDialect(context, 'decoding the request', () => dialect.decodeRequest(body)).value
        for (let run = 0; run < runs; run++) {
          const random = createRandom(seed + run)
          const messages = repair(pickMessages(random, [...request.messages]))
          await expectEncodedValid(withSeed(context, seed + run), {
            model: 'test-model',
            ...request,
            messages,
          })
        }
      }),
    ),
  ]
}

/** Returns some of the messages, two of them exchanged. */
function pickMessages<T>(random: RandomInteger, messages: readonly T[]): readonly T[] {
  const kept = messages.filter(() => random(4) > 0)
  const [from, to] = [random(kept.length), random(kept.length)]
  return kept.map(
    (message, index) => (index === from ? kept[to] : index === to ? kept[from] : message) ?? message,
  )
}

function listResponseChecks(subject: Subject, validator: BodyValidator): readonly ConformanceCheck[] {
  const { dialect, responses, runs, seed } = subject
  const expectEncodedValid = (context: CheckContext, response: ChatResponse): Promise<void> => {
    const encoded = callDialect(context, 'encoding the response', () => dialect.encodeResponse(response))
    return expectValid(context, validator, encoded.value)
  }
  return [
    ...responses.map(({ name, body }) =>
      createCheck('response', `the sample response "${name}"`, (context) =>
        expectValid(context, validator, body),
      ),
    ),
    ...listResponseSamples().map(({ name, value }) =>
      createCheck('response', `an encoded response with ${name}`, (context) =>
        expectEncodedValid(context, value),
      ),
    ),
    createCheck('response', `each of ${runs} generated responses`, async (context) => {
      for (let run = 0; run < runs; run++)
        await expectEncodedValid(withSeed(context, seed + run), generateResponse(createRandom(seed + run)))
    }),
  ]
}

function listStreamChecks({ dialect }: Subject, validator: BodyValidator): readonly ConformanceCheck[] {
  return listResponseSamples().map(({ name, value }) =>
    createCheck('stream', `each payload of an encoded stream with ${name}`, async (context) => {
      const { text } = await awaitDialect(context, 'encoding the stream', () =>
        encodeToText(dialect, toEvents(value), FIXED_IDENTITY),
      )
      const payloads = parsePayloads(text) ?? []
      for (const [index, payload] of payloads.entries())
        await expectValid(
          { ...context, subject: `${context.subject} (payload ${index})` },
          validator,
          payload,
        )
    }),
  )
}

const withSeed = (context: CheckContext, seed: number): CheckContext => ({
  ...context,
  subject: `${context.subject} (seed ${seed})`,
})

async function expectValid(context: CheckContext, validator: BodyValidator, body: JsonObject): Promise<void> {
  const problems = await listProblems(validator, body)
  if (problems.length > 0)
    throw new ConformanceError({
      ...context,
      problem: 'your validator rejects the body',
      found: createDescription(problems.slice(0, 5).join('; ')),
      expected: createDescription('a body without problems'),
    })
}

async function listProblems(validator: BodyValidator, body: JsonObject): Promise<readonly string[]> {
  if (typeof validator === 'function' && !isStandardSchema(validator)) return validator(body)
  const { issues = [] } = await validateValue(validator, body)
  return issues.map(({ path, message }) => `${path === '' ? 'the body' : path}: ${message}`)
}
