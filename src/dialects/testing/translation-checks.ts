import type { ChatRequest } from '../../canonical/model/request.ts'
import { dialects } from '../dialects.ts'
import type { Dialect } from '../engine/dialect.ts'
import { fromBase64 } from '../../wire/base64.ts'
import type { JsonObject } from '../../wire/json.ts'
import {
  type BodyTranslator,
  callDialect,
  type CheckContext,
  type ConformanceCheck,
  createContext,
  getTranslators,
} from './conformance-check.ts'
import { ConformanceError } from './conformance-error.ts'
import { isAtOrAbove, type JsonLeaf, listLeaves, storeAndLoad, toJsonPointer } from './json-leaves.ts'
import { ENUMERATION_KEYS, isMarked, isSchemaKeyword, markBody, UNSENT_KEYS } from './mark-body.ts'
import type { Subject } from './conformance-subject.ts'

/** Lists the checks that samples, translated to the built-in dialects, lose nothing without a report. */
export function listTranslationChecks(subject: Subject): readonly ConformanceCheck[] {
  const targets = Object.values(dialects).filter(({ name }) => name !== subject.dialect.name)
  return getTranslators(subject).flatMap((translator) =>
    translator.samples.map(({ name, body }): ConformanceCheck => ({
      law: 'no-silent-loss',
      title: `${translator.kind} "${name}" is translated to every built-in dialect, or losses are reported`,
      run: () => {
        const context = createContext('no-silent-loss', translator.kind, name)
        checkTranslations(translator, context, body, targets)
      },
    })),
  )
}

function checkTranslations(
  translator: BodyTranslator,
  context: CheckContext,
  body: JsonObject,
  targets: readonly Dialect[],
): void {
  const { kind } = translator
  const marked = markBody(translator, body)
  const value = callDialect(context, `decoding the ${kind}`, () => translator.decode(marked))
  const leaves = listTextLeaves(storeAndLoad(value))
  for (const target of targets) {
    const { value: wire, losses } = callDialect(context, `translating it to ${target.name}`, () =>
      kind === 'request'
        ? target.encodeRequest({ model: 'test-model', ...(value as ChatRequest) })
        : target.encodeResponse(value as never),
    )
    const text = toSearchableText(wire)
    const path =
      kind === 'request' ? target.endpoint({ model: 'test-model', ...(value as ChatRequest) }).path : ''
    const lost = leaves.find(
      (leaf) =>
        !text.includes(String(leaf.value)) &&
        !path.includes(encodeURIComponent(String(leaf.value))) &&
        !losses.some((loss) => loss.path !== '' && isAtOrAbove(loss.path, toJsonPointer(leaf.path))),
    )
    if (lost !== undefined)
      throw new ConformanceError({
        ...context,
        problem: `a text is lost without a report when the ${kind} is translated to ${target.name}`,
        path: toJsonPointer(lost.path),
        found: undefined,
        expected: lost.value,
      })
  }
}

/**
 * Lists the texts of the conversation and the settings. Ids of responses have no field in some formats, and the id of a result
 * follows that of its call, whose change is reported.
 */
function listTextLeaves(value: unknown): readonly JsonLeaf[] {
  return listLeaves(value, (key) => !UNSENT_KEYS.has(key)).filter(
    ({ path, value: leaf }) =>
      typeof leaf === 'string' &&
      isMarked(leaf) &&
      !ENUMERATION_KEYS.has(path.at(-1) ?? '') &&
      !isSchemaKeyword(path) &&
      path.at(-1) !== 'callId' &&
      !(path.length === 1 && path[0] === 'id') &&
      !(path.at(-1) === 'id' && path.length === 3),
  )
}

/** Returns the text of a body, with its texts as they are without the escapes of JSON, and those of files in base64. */
function toSearchableText(body: unknown): string {
  const leaves = listLeaves(body).map(({ value }) => String(value))
  const files = leaves.flatMap((value) => {
    const [, data] = /^(?:data:[^,]*;base64,)?([\w+/]+={0,2})$/.exec(value) ?? []
    const bytes = data === undefined ? undefined : fromBase64(data)
    return bytes === undefined ? [] : [new TextDecoder().decode(bytes)]
  })
  return [JSON.stringify(body), ...leaves, ...files].join('\n')
}
