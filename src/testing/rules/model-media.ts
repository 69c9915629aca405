import type { MediaPart } from '../../canonical/model/part.ts'
import { findModelFamily } from '../../models/find-model-family.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { getText, refuse, type RequestRule, type Violation, type WireObject } from './request-rule.ts'

type MediaKind = MediaPart['type']

/** How media occur in the bodies of a provider, and the text with which it refuses them. */
interface MediaForm {
  /** The key of the conversation. */
  readonly conversation: string
  /** Returns the kind of media that an object is or contains; undefined for any other object. */
  readonly getKind: (item: WireObject) => MediaKind | undefined
  readonly formatRefusal: (kind: MediaKind, item: WireObject) => string
}

const byType =
  (kinds: { readonly [type: string]: MediaKind }): MediaForm['getKind'] =>
  ({ type }) =>
    typeof type === 'string' ? kinds[type] : undefined

const chatKinds = { image_url: 'image', input_audio: 'audio', video_url: 'video' } as const
const blockKinds = ['image', 'audio', 'video'] as const

const formatUnsupported = (kind: MediaKind): string => `this model does not support ${kind} input`

/** vllm-project/vllm#11629 quotes the whole error. */
const formatOpenAI: MediaForm['formatRefusal'] = (_kind, { type }) =>
  `Invalid content type. ${getText(type)} is only supported by certain models.`

/** The dialects in which models that read text only are served. */
type MediaDialect = 'openai-chat' | 'openai-responses' | 'mistral' | 'cohere' | 'bedrock' | 'ollama'

const mediaForms: { readonly [dialect in MediaDialect]: MediaForm } = {
  'openai-chat': { conversation: 'messages', getKind: byType(chatKinds), formatRefusal: formatOpenAI },
  'openai-responses': {
    conversation: 'input',
    getKind: byType({ input_image: 'image', input_audio: 'audio' }),
    formatRefusal: formatOpenAI,
  },
  mistral: { conversation: 'messages', getKind: byType(chatKinds), formatRefusal: formatUnsupported },
  cohere: { conversation: 'messages', getKind: byType(chatKinds), formatRefusal: formatUnsupported },
  bedrock: {
    conversation: 'messages',
    getKind: (item) => blockKinds.find((kind) => isObject(item[kind])),
    // earendil-works/pi#8960
    formatRefusal: (kind) =>
      `This model doesn't support the ${kind} field for user messages. Remove ${kind} and try again.`,
  },
  ollama: {
    conversation: 'messages',
    getKind: ({ images }) => (Array.isArray(images) && images.length > 0 ? 'image' : undefined),
    formatRefusal: formatUnsupported, // ollama/ollama#17301
  },
}

/** The keys of content inside of messages, calls and results; what other keys contain is data. */
const CONTENT_KEYS = ['content', 'output', 'toolResult']

/** Creates the rule that a model accepts the kinds of media in the conversation. */
export function createModelMediaRule(dialect: MediaDialect): RequestRule {
  const { conversation, getKind, formatRefusal } = mediaForms[dialect]
  return {
    id: 'model-media',
    summary: 'The model accepts the media.',
    find(body, { model }) {
      const refused = findModelFamily(model)?.refusedMedia ?? []
      const find = (value: Json | undefined, path: string): readonly Violation[] => {
        if (Array.isArray(value)) return value.flatMap((each: Json, index) => find(each, `${path}/${index}`))
        if (!isObject(value)) return []
        const kind = getKind(value)
        return kind !== undefined && refused.includes(kind)
          ? refuse(path, formatRefusal(kind, value))
          : CONTENT_KEYS.flatMap((key) => find(value[key], `${path}/${key}`))
      }
      return refused.length === 0 ? [] : find(body[conversation], `/${conversation}`)
    },
  }
}
