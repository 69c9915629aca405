import type { AssistantPart, MediaPart } from '../../canonical/model/part.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { LossReport } from '../shared/loss-report.ts'
import { toPlainPart } from '../shared/plain-output.ts'
import { readValidSignature, wrapInInterlinguaMetadata } from './build-metadata.ts'
import type { AgUiEvent } from './events.ts'

/** Returns the events that append a delta to a part; none for a part that AG-UI does not stream. */
export function toDeltaEvents(
  part: AssistantPart,
  messageId: string,
  toolCallId: string,
  delta: string,
): readonly AgUiEvent[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return [{ type: 'TEXT_MESSAGE_CONTENT', messageId, delta }]
    case 'reasoning':
      return [{ type: 'REASONING_MESSAGE_CONTENT', messageId, delta }]
    case 'tool-call':
      return [{ type: 'TOOL_CALL_ARGS', toolCallId, delta }]
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
    case 'tool-result':
    case 'opaque':
      return []
  }
}

/** Returns a media part as a custom event: AG-UI has no event for media of an assistant message. */
export function toMediaEvent(part: MediaPart, messageId: string, path: Path, report: LossReport): AgUiEvent {
  report.add('media-as-custom', path)
  const signature = readValidSignature(part, path, report)
  return {
    type: 'CUSTOM',
    name: 'interlingua.media',
    value: { messageId, part: toPlainPart(part), ...(signature && { signature }) },
  }
}

/** Returns the event of a part's signature; none for a part without a valid one. */
export function toSignatureEvents(
  part: AssistantPart,
  subtype: 'message' | 'tool-call',
  entityId: string,
  path: Path,
  report: LossReport,
): readonly AgUiEvent[] {
  const signature = readValidSignature(part, path, report)
  if (signature === undefined) return []
  const { vendor, value } = signature
  return [
    {
      type: 'REASONING_ENCRYPTED_VALUE',
      subtype,
      entityId,
      encryptedValue: value,
      ...wrapInInterlinguaMetadata({ vendor }),
    },
  ]
}
