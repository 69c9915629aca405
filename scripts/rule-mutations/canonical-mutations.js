// @ts-check
// Changes that break the rules of messages, parts and calls.
import { mutationsOf } from './mutation.js'

/** @type {readonly import('./mutation.js').RuleMutation[]} */
export const canonicalMutations = [
  ...mutationsOf('canonical/build/messages.ts', 'canonical/build.test.ts', [
    ['r2 C5', "typeof each === 'string' ? text(each) : each", 'each as never'],
    [
      'r30',
      "typeof each === 'string' ? text(each)",
      "typeof each === 'string' && each[0] === '{' ? JSON.parse(each) : typeof each === 'string' ? text(each)",
    ],
    ['r3', 'Symbol.iterator in input ? [...input] : [input]', 'Symbol.iterator in input ? [] : [input]'],
    ['r7 r80 C7', "id: rest.id ?? generateId('msg', options)", "id: generateId('msg', {})"],
    ['r29 r73', "message('developer', input, options)", "message('system', input, options)"],
    ['r96', 'content: parts.map(', "content: (parts.length === 0 ? ['-'] : parts).map("],
    [
      'r157 C1',
      "message('tool', results, options)",
      "message('tool', [...[results].flat()].slice(0, 1) as never, options)",
    ],
  ]),
  ...mutationsOf('canonical/build/call-arguments.ts', 'canonical/build.test.ts', [
    ['C2', 'return { invalidArguments: text }', 'return { arguments: Object.freeze({}) }'],
    ['r83 r170', 'freezeCopy(input ?? {})', 'freezeCopy(input ?? { none: true })'],
  ]),
  ...mutationsOf('canonical/build/parts.ts', 'canonical/build.test.ts', [
    ['C18', "const id = givenId ?? generateId('call', input)", "const id = givenId ?? 'call'"],
    ['r93', '...(isError && { isError }),', ''],
    [
      'r177',
      "if (typeof output === 'string') return text(output)",
      "if (typeof output === 'string') return json(output)",
    ],
    [
      'r114 r115 r190 r214',
      'omitUndefined({ mediaType: ownType, name, detail, transcript })',
      'omitUndefined({ mediaType: ownType, detail, transcript })',
    ],
    [
      'r105 r111',
      "buildPart<RefusalPart>({ type: 'refusal', text: content }, options)",
      "buildPart<RefusalPart>({ type: 'text', text: content } as never, options)",
    ],
    ['C10', 'contentDigest: digestContent(part)', "contentDigest: digestContent({ type: 'text', text: '' })"],
  ]),
  ...mutationsOf('canonical/build/media.ts', 'canonical/media-inputs.test.ts', [
    [
      'r113',
      "data === undefined ? { kind: 'url', url: href } : { kind: 'base64', ...data }",
      "{ kind: 'url', url: href }",
    ],
  ]),
  ...mutationsOf('canonical/read/message-content.ts', 'canonical/read.test.ts', [
    [
      'r6 C9',
      "case 'tool-call':\n    case 'opaque':",
      "case 'tool-call':\n      return part.name\n    case 'opaque':",
    ],
    [
      'r24 C14',
      ".filter((text) => text !== '').join(separator)",
      ".filter((text) => text !== '').join(separator || ' ')",
    ],
    [
      'C15',
      "texts.filter((text) => text !== '').join(separator)",
      "texts.filter((text) => text !== '').slice(0, 1).join(separator)",
    ],
    ['r25', 'return joinText(part.content, separator)', "return ''"],
    [
      'r79',
      "toolResultsOf(message).length > 0) return 'tool-results'",
      "toolResultsOf(message).length > 1) return 'tool-results'",
    ],
    [
      'r167',
      "case 'reasoning':\n    case 'refusal':",
      "case 'reasoning':\n      return part.text\n    case 'refusal':",
    ],
    [
      'r201',
      "case 'refusal':\n    case 'tool-call':",
      "case 'refusal':\n      return part.text\n    case 'tool-call':",
    ],
    ['r92', "(${values.join(', ')})", "(${values.join(' ')})"],
    ['r86', "typeof value === 'string' ? value : JSON.stringify(value)", 'JSON.stringify(value)'],
    ['r85 r90', "part.type === 'tool-call'), [message]", "part.type !== 'tool-result'), [message]"],
  ]),
  ...mutationsOf('canonical/update/part.ts', 'canonical/read.test.ts', [
    [
      'r87',
      'const none = { arguments: undefined, rawArguments: undefined, invalidArguments: undefined }',
      'const none = {}',
    ],
  ]),
  ...mutationsOf('canonical/parse/message.ts', 'canonical/read.test.ts', [
    ['r74 C8', "['ai', 'assistant'],", ''],
    [
      'r192',
      'return throwInvalid(code, path, quoteOrDescribe(value), expected, hint)',
      "return code && expected && hint ? 'user' : 'tool'",
    ],
    ['r77', "['model', 'assistant'],", ''],
  ]),
  ...mutationsOf('canonical/read/type-guards.ts', 'canonical/read.test.ts', [
    ['r75 r76', "return role === 'system' || role === 'developer'", "return role === 'system'"],
    ['r100', 'return CONTENT_KEYS.some((key) => Object.hasOwn(value, key))', 'return true'],
  ]),
  ...mutationsOf('canonical/read/content-checks.ts', 'canonical/read.test.ts', [
    [
      'r103 r149',
      'return hasNoMetadata && isEmptyContent(',
      'return (hasNoMetadata || true) && isEmptyContent(',
    ],
    ['r108', "first.type === 'text' && !hasOtherFields", "first.type === 'text' && (hasOtherFields || true)"],
  ]),
  ...mutationsOf('canonical/model/message.ts', 'canonical/read.test.ts', [['r60', "  'pause',\n", '']]),
  ...mutationsOf('canonical/model/usage.ts', 'canonical/read.test.ts', [
    [
      'r61',
      'if (usage[key] !== undefined) counters[key] = (counters[key] ?? 0) + usage[key]',
      'counters[key] = (counters[key] ?? 0) + (usage[key] ?? 0)',
    ],
  ]),
  ...mutationsOf('canonical/update/message.ts', 'canonical/update.test.ts', [
    ['r150 r116 r21', '{ ...message, ...changes }', '{ ...changes, ...message }'],
    [
      'r97',
      'origin: _origin, usage: _usage, finish: _finish, content',
      'origin: _origin, finish: _finish, content',
    ],
  ]),
  ...mutationsOf('canonical/update/message.ts', 'canonical/canonical-laws.test.ts', [
    ['r94 C4', 'id: message.id,', "id: 'msg_new',"],
  ]),
  ...mutationsOf('canonical/update/part.ts', 'canonical/update.test.ts', [
    ['r112', '{ ...part, ...changes }', '{ ...changes, ...part }'],
  ]),
  ...mutationsOf('canonical/model/extra.ts', 'canonical/update.test.ts', [
    ['r15 r16 r200', '{ ...extra?.[slot], ...values }', '{ ...values }'],
    ['r17', 'Object.hasOwn(extra[slot] ?? {}, key)', '(extra[slot]?.[key] ?? null) !== null'],
    [
      'r19',
      '...(entries.length > 0 && { extra: Object.fromEntries(entries) })',
      'extra: Object.fromEntries(entries)',
    ],
  ]),
  ...mutationsOf('canonical/stored/stored-form.ts', 'canonical/stored-form.test.ts', [
    ['r22', 'const { metadata = true } = options', 'const metadata = options !== undefined'],
    [
      'r66',
      'Messages.from(readMessageListInput(value, path, context))',
      'Messages.from(readMessageListInput(value, path, context).toReversed())',
    ],
  ]),
  ...mutationsOf('canonical/stored/stored-schema.ts', 'canonical/stored-form.test.ts', [
    [
      'r69a',
      'description === undefined ? property : { ...property, description }',
      'description === undefined ? property : { ...property }',
    ],
  ]),
  ...mutationsOf('canonical/stream/part-accumulator.ts', 'canonical/stream/accumulate.test.ts', [
    ['r91 r182', 'return { ...call, ...parseArguments(added) }', 'return { ...call, arguments: {} }'],
  ]),
  ...mutationsOf('canonical/stored/stored-form.ts', 'canonical/stored-form.test.ts', [
    [
      'r8 r151 r153',
      'metadata ? <T extends Message>(message: T): T => message : omitMetadata',
      'metadata ? <T extends Message>({ id: _id, parentId: _parent, createdAt: _time, ...rest }: T): T => rest as never : omitMetadata',
    ],
  ]),
  ...mutationsOf('canonical/shape/part.ts', 'canonical/build.test.ts', [
    ['r4 r5', 'if (types.includes(type)) return\n', 'if (types.length > 0) return\n'],
    ['r158 C9', "    'tool-result': true,\n    refusal: true,", '    refusal: true,'],
  ]),
  ...mutationsOf('wire/frozen-json.ts', 'canonical/build.test.ts', [
    [
      'r217 C4',
      'return Object.freeze(new ValidatedBrand(value) as T)',
      'return new ValidatedBrand(value) as T',
    ],
  ]),
  ...mutationsOf('canonical/read/content-checks.ts', 'canonical/update.test.ts', [
    [
      'r104',
      "part.type === 'reasoning') && part.text === ''",
      "part.type === 'reasoning') && part.text === ' '",
    ],
  ]),
  ...mutationsOf('canonical/read/content-checks.ts', 'canonical/read.test.ts', [
    ['r152', 'return parts.length === 1 && first.type', 'return first.type'],
  ]),
  ...mutationsOf('wire/frozen-json.ts', 'canonical/stored-form.test.ts', [
    [
      'r23 r69c',
      'new ValidatedBrand(value) as T',
      "new ValidatedBrand(Object.assign(value, { toText: () => '' })) as T",
    ],
  ]),
]
