import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { applyResidue } from '../../dialects/engine/residue-slots.ts'
import { type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { writeOpaquePart } from '../engine/omitted-fields.ts'
import { defineFinishReasonWords, type FinishReasonWords } from '../engine/finish-reason-words.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { getKeptMessage } from '../engine/keep-unknown-values.ts'
import type { MessagesWriter } from '../engine/message-format.ts'
import { NAME, TELEMETRY_SLOT } from './constants.ts'
import { writeContentPart } from './parts.ts'
import { writeCall, writeResult } from './tool-parts.ts'

/** The words of the conventions for the reason why a model stopped. */
export const finishWords: FinishReasonWords = /* @__PURE__ */ defineFinishReasonWords(
  [
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content-filter'],
    ['tool_call', 'tool-calls'],
    ['error', 'error'],
  ],
  { refusal: 'content_filter', aborted: 'error', pause: 'stop', other: 'stop' },
)

/** Writes messages of spans, each as one message. */
export const writeMessages: MessagesWriter = (messages, report) => {
  return messages.map(({ message, path }) => {
    const kept = getKeptMessage(message, NAME)
    if (kept !== undefined) return kept
    const finish = message.role === 'assistant' ? message.finish : undefined
    const wire = omitUndefined({
      role: message.role,
      parts: writeParts(message, path, report),
      name: message.name,
      finish_reason: finish && finishWords.write(finish, child(path, 'finish'), report),
    }) as JsonObject
    return applyResidue(wire, message, TELEMETRY_SLOT)
  })
}

function writeParts(message: Message, path: Path, report: FormatReporter): readonly JsonObject[] {
  const isAnswer = message.role === 'assistant'
  return message.content.flatMap((part: Part, index): readonly JsonObject[] => {
    const at = child(child(path, 'content'), index)
    if (part.type === 'tool-call') return [writeCall(part)]
    if (part.type === 'tool-result') return [writeResult(part, isAnswer, at, report)]
    const wire =
      part.type === 'opaque' ? writeOpaquePart(part, NAME, at, report) : writeContentPart(part, at, report)
    return wire === undefined ? [] : [wire]
  })
}
