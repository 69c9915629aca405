import { InterlinguaError } from '../../errors.ts'
import { isEqualJson } from '../../wire/json.ts'
import {
  type BodyTranslator,
  callDialect,
  type CheckContext,
  type ConformanceCheck,
  createContext,
  getTranslators,
  expectEqual,
} from './conformance-check.ts'
import { ConformanceError, createDescription } from './conformance-error.ts'
import { addUnknownFields, storeAndLoad } from './json-leaves.ts'
import { createRandom, mutateBody } from './random.ts'
import type { Subject } from './conformance-subject.ts'

/** Lists the checks that bodies are encoded as they were received, and that nothing else is changed. */
export function listExactChecks(subject: Subject): readonly ConformanceCheck[] {
  return getTranslators(subject).flatMap((translator) =>
    translator.samples.flatMap(({ name, body }): readonly ConformanceCheck[] => {
      const { kind } = translator
      const context = createContext('exact', kind, name)
      return [
        {
          law: 'exact',
          title: `${kind} "${name}" is encoded as it was received`,
          run: () => expectExact(translator, context, body),
        },
        {
          law: 'exact',
          title: `${kind} "${name}" keeps an unknown field in every object and an unknown block in every list`,
          run: () => {
            const subjectText = `${context.subject} with unknown fields and blocks`
            expectExact(translator, { ...context, subject: subjectText }, addUnknownFields(body))
          },
        },
        {
          law: 'exact',
          title: `${kind} "${name}" stays exact with keys removed, renamed, retyped and nested`,
          run: () => checkMutations(translator, context, body, subject),
        },
        {
          law: 'pure',
          title: `${kind} "${name}" gives the same result twice and is not changed`,
          run: () => checkPurity(translator, createContext('pure', kind, name), body),
        },
      ]
    }),
  )
}

function expectExact(translator: BodyTranslator, context: CheckContext, body: unknown): void {
  const { kind } = translator
  const value = callDialect(context, `decoding the ${kind}`, () => translator.decode(body))
  const encoded = callDialect(context, `encoding the decoded ${kind}`, () => translator.encode(value))
  expectEqual(context, 'the encoded body differs from the received body', encoded.value, body)
  const [loss] = encoded.losses
  if (loss !== undefined)
    throw new ConformanceError({
      ...context,
      problem: 'encoding a received body in its own format reports a loss',
      path: loss.path,
      found: createDescription(`${loss.rule}: ${loss.reason}`),
      expected: createDescription('no losses'),
    })
  const stored = callDialect(context, `encoding the decoded ${kind} after storage`, () =>
    translator.encode(storeAndLoad(value)),
  )
  const problem = 'the encoded body differs from the received body after it was stored as JSON'
  expectEqual(context, problem, stored.value, body)
}

/** A mutated body may be rejected with a typed error; if it is decoded, it is exact. */
function checkMutations(
  translator: BodyTranslator,
  context: CheckContext,
  body: object,
  { runs, seed }: Subject,
): void {
  for (let run = 0; run < runs; run++) {
    const runSeed = seed + run
    const mutated = mutateBody(body, createRandom(runSeed))
    const mutatedContext = { ...context, subject: `${context.subject}, mutated with seed ${runSeed}` }
    if (!isRejected(translator, mutated)) expectExact(translator, mutatedContext, mutated)
  }
}

function isRejected(translator: BodyTranslator, body: unknown): boolean {
  try {
    translator.decode(body)
    return false
  } catch (error) {
    return error instanceof InterlinguaError && error.code !== 'internal'
  }
}

function checkPurity(translator: BodyTranslator, context: CheckContext, before: object): void {
  const { kind } = translator
  const body = structuredClone(before)
  const value = callDialect(context, `decoding the ${kind}`, () => translator.decode(body))
  expectEqual(context, `decoding changes the ${kind} body that it reads`, body, before)
  const again = callDialect(context, `decoding the ${kind} again`, () => translator.decode(body))
  expectEqual(
    context,
    `decoding the ${kind} twice gives two results`,
    storeAndLoad(again),
    storeAndLoad(value),
  )
  const kept = storeAndLoad(value)
  const encoded = callDialect(context, `encoding the ${kind}`, () => storeAndLoad(translator.encode(value)))
  expectEqual(context, `encoding changes the canonical ${kind} that it reads`, storeAndLoad(value), kept)
  const encodedAgain = callDialect(context, `encoding the ${kind} again`, () => translator.encode(value))
  if (!isEqualJson(encodedAgain, encoded))
    expectEqual(context, `encoding the ${kind} twice gives two results`, encodedAgain, encoded)
}
