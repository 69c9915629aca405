import type { MediaPart, Part, TextPart } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { isObject, itemsOf, type Json, type JsonObject, readStringOrEmpty } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { keepPart } from '../engine/keep-unknown-values.ts'
import { NAME } from './constants.ts'

/**
 * The texts of contents that are one text, by `content_type`. OpenAI documents no schema: the types and fields are those that
 * parsers of exports describe, such as mitkury/chatgpt-export-parser and jamesmoore/chatgpt-export.
 */
const TEXT_FIELDS: { readonly [type: string]: readonly string[] } = {
  code: ['text'],
  execution_output: ['text'],
  system_error: ['text'],
  tether_quote: ['title', 'url', 'text'],
  tether_browsing_display: ['summary', 'result'],
  sonic_webpage: ['title', 'url', 'text'],
  user_editable_context: ['user_profile', 'user_instructions'],
  model_editable_context: ['model_set_context'],
}

/** Contents of answers that are reasoning. */
const REASONING_TYPES = ['thoughts', 'reasoning_recap']

/** Reads the content of a message; a content or a part of unknown type is kept as it is. */
export function readContent(content: JsonObject, path: Path): readonly Part[] {
  const type = readStringOrEmpty(content['content_type'])
  if (Array.isArray(content['parts']))
    return itemsOf(content['parts']).flatMap((part, index) =>
      readPart(part, child(child(path, 'parts'), index)),
    )
  if (REASONING_TYPES.includes(type)) return readReasoning(content, path)
  const fields = Object.hasOwn(TEXT_FIELDS, type) ? TEXT_FIELDS[type] : undefined
  if (fields === undefined) return [keepPart(NAME, content, path)]
  const text = fields
    .map((field) => readStringOrEmpty(content[field]))
    .filter((each) => each !== '')
    .join('\n\n')
  return text === '' ? [] : [checkAndFreezePart<TextPart>({ type: 'text', text }, path)]
}

function readPart(part: Json, path: Path): readonly Part[] {
  if (part === '') return []
  if (typeof part === 'string') return [checkAndFreezePart<TextPart>({ type: 'text', text: part }, path)]
  if (!isObject(part)) return [keepPart(NAME, part, path)]
  switch (readStringOrEmpty(part['content_type'])) {
    case 'audio_transcription':
      return readPart(readStringOrEmpty(part['text']), child(path, 'text'))
    case 'image_asset_pointer':
      return readAsset('image', part, path)
    case 'audio_asset_pointer':
      return readAsset('audio', part, path)
    case 'real_time_user_audio_video_asset_pointer': {
      const audio = part['audio_asset_pointer']
      return isObject(audio) ? readAsset('audio', audio, path) : [keepPart(NAME, part, path)]
    }
  }
  return [keepPart(NAME, part, path)]
}

/** Reads a reference to a file of the export, such as `file-service://file-abc` or `sediment://file_abc`. */
function readAsset(type: 'image' | 'audio', asset: JsonObject, path: Path): readonly Part[] {
  const pointer = readStringOrEmpty(asset['asset_pointer'])
  const id = pointer.replace(/^[a-z-]+:\/\//, '')
  if (id === '') return [keepPart(NAME, asset, path)]
  return [checkAndFreezePart<MediaPart>({ type, source: { kind: 'id', id, provider: 'openai' } }, path)]
}

function readReasoning(content: JsonObject, path: Path): readonly Part[] {
  const recap = readStringOrEmpty(content['content'])
  if (recap !== '') return [checkAndFreezePart({ type: 'reasoning', text: recap, summary: true }, path)]
  return itemsOf(content['thoughts']).flatMap((thought, index): readonly Part[] => {
    const at = child(child(path, 'thoughts'), index)
    if (!isObject(thought)) return [keepPart(NAME, thought, at)]
    const texts = [readStringOrEmpty(thought['summary']), readStringOrEmpty(thought['content'])]
    const text = texts.filter((each) => each !== '').join('\n\n')
    return text === '' ? [] : [checkAndFreezePart({ type: 'reasoning', text }, at)]
  })
}
