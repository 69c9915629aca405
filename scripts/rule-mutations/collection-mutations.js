// @ts-check
// Changes that break the rules of `Messages`, `MessageStore` and lists.
import { mutationsOf } from './mutation.js'

/** @type {readonly import('./mutation.js').RuleMutation[]} */
export const collectionMutations = [
  ...mutationsOf(
    'canonical/collections/list-item-operations.ts',
    'canonical/collections/list-item-operations.test.ts',
    [
      ['r10', 'items.with(at, item)', '[...items, item]'],
      ['r11', 'item[key] === value', 'String(item[key]) === String(value)'],
      ['r12', 'value === undefined ? -1 : items', 'items'],
      ['r89', 'items[findPosition(items, key, value)]', 'items[findPosition(items, key, value) + 1]'],
    ],
  ),
  ...mutationsOf('canonical/read/message-content.ts', 'canonical/collections/list-item-operations.test.ts', [
    ['r90', "part.type === 'tool-call'), [message]", "part.type !== 'tool-result'), [message]"],
  ]),
  ...mutationsOf('canonical/collections/messages.ts', 'canonical/collections/messages.test.ts', [
    ['r9', 'toSpliced(position, 1)', 'toSpliced(position, 2)'],
    [
      'r65',
      'toJSON(): Message[] {\n    return this.toArray()',
      'toJSON(): Message[] {\n    return this.toArray().slice(1)',
    ],
    ['r135 C29', 'return this.at(0)', "return this.at(0) ?? build.user('')"],
    ['r137', 'return this.at(-1)', 'return this.at(1 - this.size)'],
    ['r136', 'this.toArray().filter(test)', 'this.toArray().filter((each, at) => !test(each, at))'],
    ['r138', 'this.toArray().every(isEmptyMessage)', 'this.toArray().some(isEmptyMessage)'],
    [
      'r139',
      'position === undefined ? undefined : getMessageBuffer(this).items[position]',
      'position === undefined ? undefined : getMessageBuffer(this).items[0]',
    ],
    ['r140', 'build.developer(input, options)', 'build.system(input, options)'],
    [
      'r141',
      '[...inputs.flatMap((input) => toMessages(input)), ...this]',
      '[...this, ...inputs.flatMap((input) => toMessages(input))]',
    ],
    ['r142', '!roles.includes(role)', 'roles.includes(role)'],
    ['r143', 'roles[message.role] ?? message.role', "roles[message.role] ?? 'user'"],
    [
      'r144',
      'flatMap((message): readonly Part[] => message.content)',
      'flatMap((message): readonly Part[] => message.content.slice(0, 1))',
    ],
    ['r146', 'this.toArray().toReversed()', 'this.toArray()'],
    [
      'r147 C23',
      'this.filter((message) => !isEmptyMessage(message))',
      'this.filter((message) => isEmptyMessage(message))',
    ],
    ['r148', "separator = '\\n'", "separator = ' '"],
  ]),
  ...mutationsOf('canonical/collections/messages.ts', 'canonical/collections/messages-laws.test.ts', [
    ['r130', 'this.slice(0, -1).append(input)', 'this.append(input)'],
  ]),
  ...mutationsOf(
    'canonical/collections/messages.ts',
    'canonical/collections/merge-and-split-messages.test.ts',
    [['C12', "(role) => role !== 'tool'", '() => true']],
  ),
  ...mutationsOf(
    'canonical/collections/merge-and-split-messages.ts',
    'canonical/collections/merge-and-split-messages.test.ts',
    [
      ['r145', 'usage: addUsage(...usages)', 'usage: usages[0]'],
      [
        'C14',
        'flatMap((message): readonly Part[] => message.content)',
        "flatMap((message): readonly Part[] => [{ type: 'text', text: message.content.length.toString() }])",
      ],
      ['r107', "{ type: 'text', text: '' }", "{ type: 'text', text: ' ' }"],
      ['C30', "key !== 'cache_control' ? { cache } : {}", '{ cache }'],
      [
        'C1',
        'message.content.length > 1 ? splitToolMessage(message, freeId) : [message]',
        'message.content.length > 9 ? splitToolMessage(message, freeId) : [message]',
      ],
    ],
  ),
  ...mutationsOf('canonical/collections/message-buffer.ts', 'canonical/collections/messages-forks.test.ts', [
    ['r129 r154', 'if (length !== this.items.length)', 'if (length > this.items.length)'],
  ]),
  ...mutationsOf('canonical/collections/messages.ts', 'canonical/collections/message-input.test.ts', [
    ['r132', 'if (input instanceof Messages && options?.role === undefined) return input', ''],
  ]),
  ...mutationsOf('canonical/collections/message-input.ts', 'canonical/collections/message-input.test.ts', [
    ['r134', 'JSON.stringify(value) as string | undefined', 'String(value)'],
    ['r97 r98', 'role === undefined ? converted : withRole(converted, role)', 'converted'],
    ['r99', "typeof input === 'string' || isPartLike(input)\n", "typeof input === 'string'\n"],
    ['r71', "if (hasMethod(input, 'toMessage')) return parseMessage(input.toMessage(), identity)", ''],
    [
      'r69b',
      "typeof input === 'object' && input !== null && Symbol.iterator in input",
      'Array.isArray(input)',
    ],
    ['r131', 'isPartList(inputs)) return', 'inputs.some(isPartLike)) return'],
    [
      'r133',
      "message(role ?? 'user', stringifyInput(input), identity)",
      "message(role ?? 'system', stringifyInput(input), identity)",
    ],
    ['r101', 'if (isPartList(inputs)) return', 'if (inputs.length === 0 || isPartList(inputs)) return'],
  ]),
  ...mutationsOf(
    'canonical/collections/render-messages.ts',
    'canonical/collections/render-messages.test.ts',
    [['r72', '?? placeholder', "?? ''"]],
  ),
  ...mutationsOf('canonical/collections/message-store.ts', 'canonical/collections/message-store.test.ts', [
    ['C21', 'map.set(name, messages)', 'map.set(name, messages.slice(1))'],
    [
      'r120',
      'const sections = new Map(this.#sections)\n    if',
      'const sections = this.#sections as Map<string, Messages>\n    if',
    ],
    ['r121', "section = 'messages'", "section = 'main'"],
    [
      'r122',
      '{ ...this.#parameters, ...other.#parameters }',
      '{ ...other.#parameters, ...this.#parameters }',
    ],
    ['C23', 'messages.withoutEmpty().toArray()', 'messages.toArray()'],
    [
      'r123',
      'messages: messages.toArray() })),\n      parameters: this.#parameters',
      'messages: messages.toArray() })),\n      parameters: {}',
    ],
    ['r128', 'this.sections.filter(test)', 'this.sections'],
  ]),
  ...mutationsOf('canonical/collections/store-operators.ts', 'canonical/collections/message-store.test.ts', [
    [
      'r125',
      'this.#createStore(Messages.of().append(...inputs))',
      'this.#createStore(this.messages.append(...inputs))',
    ],
    ['r127', 'this.#createStore(change(this.messages))', 'this.#createStore(this.messages)'],
    ['r126', '([each]) => each !== key', '([each]) => each === key'],
  ]),
]
