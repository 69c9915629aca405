// @ts-check
// Changes that break the rules of what is read from untrusted JSON, and of validation.
import { mutationsOf } from './mutation.js'

/** @type {readonly import('./mutation.js').RuleMutation[]} */
export const parseMutations = [
  ...mutationsOf('canonical/parse/parse.ts', 'canonical/malformed-input.test.ts', [
    [
      'r13',
      "return throwInvalid('unknown-part-type', child(path, 'type'), quoteOrDescribe(type), expected)",
      'return text(expected)',
    ],
  ]),
  ...mutationsOf('canonical/parse/message.ts', 'canonical/parse-message.test.ts', [
    ['r14 C9', "'tool_calls', 'toolCalls')", "'toolCalls')"],
    [
      'r18 C11',
      'isObject(extras) ? extras : isPresent(extras) && { extras }',
      'isPresent(extras) && { extras }',
    ],
    [
      'r95',
      "if (value === undefined || value === null || value === '') return 'user'",
      "if (value === undefined || value === null || value === '') return 'system'",
    ],
    [
      'r106',
      'for (let depth = 0; isMessageLike(value); depth++)',
      'for (let depth = 0; depth > 0 && isMessageLike(value); depth++)',
    ],
    ['r189', '...refusalParts.map((part) => refusal(textOf(part))),', '...refusalParts,'],
    ['r206', "[...takeParts('content'), ...takeMedia()]", "[...takeMedia(), ...takeParts('content')]"],
    ['r202 C3', '...content,\n    ...takeMedia(),', '...takeMedia(),\n    ...content,'],
    [
      'r203',
      'if (role !== undefined) return role',
      "if (role !== undefined) return role === 'system' ? 'developer' : role",
    ],
  ]),
  ...mutationsOf('canonical/parse/parse.ts', 'canonical/parse-message.test.ts', [
    [
      'r102',
      "if (typeof value === 'string') return text(value)\n  if (!isObject(value)) return throwWrongType(value, path, 'a part: an object or a string')",
      "if (!isObject(value)) return throwWrongType(value, path, 'a part: an object or a string')",
    ],
  ]),
  ...mutationsOf('canonical/parse/parse.ts', 'canonical/parse.test.ts', [
    ['r111', "getOwnValue(part, 'type') ?? 'text'", "getOwnValue(part, 'type') ?? 'refusal'"],
    ['r69', "stop: typeof stop === 'string' ? [stop] : stop", 'stop'],
  ]),
  ...mutationsOf('canonical/parse/media.ts', 'canonical/parse.test.ts', [
    ['r26 r78', "['image_url', ['image', 'image_url']],", "['image_url', ['image', 'image']],"],
    ['r118 C24', "name: ['name', 'filename', 'file_name'],", "name: ['name'],"],
    ['r115', "['input_audio', ['audio', 'input_audio']],", "['input_audio', ['file', 'input_audio']],"],
  ]),
  ...mutationsOf('canonical/parse/field-picker.ts', 'canonical/parse.test.ts', [
    [
      'r117',
      'takeFrom(inner, names) ?? takeFrom(flat, names)',
      'takeFrom(flat, names) ?? takeFrom(inner, names)',
    ],
  ]),
  ...mutationsOf('canonical/parse/tool-call.ts', 'canonical/parse.test.ts', [
    [
      'r27 r84',
      "createFieldPicker(value, path, 'function', 'custom')",
      "createFieldPicker(value, path, 'custom')",
    ],
    [
      'r82',
      'identifierShape.read(id.value, id.path, context)',
      'identifierShape.read(id.value, id.path, context).toLowerCase()',
    ],
    ['r88', "typeof given === 'string' ? parseArguments(given).arguments : given", 'given'],
    ['r191', "pick.take('id', 'call_id', 'callId'", "pick.take('id', 'callId'"],
    ['r170 r215', 'return invalid ?? normalizeArguments({})', 'return invalid ?? normalizeArguments("")'],
    [
      'C18',
      "id === undefined || id.value === ''\n        ? generateId('call', context.reader)",
      "id === undefined || id.value === ''\n        ? 'call'",
    ],
  ]),
  ...mutationsOf('canonical/parse/tool-result.ts', 'canonical/parse.test.ts', [
    [
      'r28',
      "pick.take('callId', 'call_id', 'tool_call_id', 'toolCallId', 'tool_use_id')",
      "pick.take('callId', 'toolCallId')",
    ],
  ]),
  ...mutationsOf('canonical/parse/tool-result.ts', 'canonical/parse-message.test.ts', [
    [
      'r194',
      "['tool_call_id', 'toolCallId', 'call_id', 'callId'] as const",
      "['tool_call_id', 'toolCallId', 'callId'] as const",
    ],
    [
      'C19',
      "if (callId === undefined || callId.value === '') return undefined",
      'if (callId === undefined) return undefined',
    ],
  ]),
  ...mutationsOf('canonical/check/tool-validation-rules.ts', 'canonical/check/validate.test.ts', [
    [
      'C22',
      'answer === undefined && value.executedBy === undefined',
      'answer === undefined && value.executedBy !== undefined',
    ],
  ]),
  ...mutationsOf('canonical/check/validate.ts', 'canonical/check/validate.test.ts', [
    [
      'C13',
      'filter(({ value }) => isEmptyContent(value.content))',
      'filter(({ value }) => isEmptyContent(value.content) && value.content.length > 9)',
    ],
    [
      'r216',
      'findRepeatedByName(listPositions(messages), ({ value }) => value.id)',
      'findRepeatedByName([], ({ value }) => value.id)',
    ],
  ]),
  ...mutationsOf('canonical/parse/media.ts', 'canonical/parse-message.test.ts', [
    ['r119', "['input_audio', ['audio', 'input_audio']],", "['input_audio', ['file', 'input_audio']],"],
  ]),
  ...mutationsOf('canonical/shape/object.ts', 'canonical/parse.test.ts', [
    [
      'r110',
      'const isAbsent = value === null || (value === false && field.shape === trueShape)',
      'const isAbsent = value === false && field.shape === trueShape',
    ],
  ]),
]
