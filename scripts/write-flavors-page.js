// @ts-check
// Writes docs/reference/flavors.md from the dialects' tables: the differences between hosts of the same dialect.
import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** @typedef {import('../src/dialects/openai-chat/flavors.ts').OpenAIChatFlavor} OpenAIChatFlavor */
/** @typedef {import('../src/dialects/anthropic/flavors.ts').AnthropicFlavor} AnthropicFlavor */
/** @typedef {import('../src/dialects/gemini/flavors.ts').GeminiFlavor} GeminiFlavor */

/**
 * @typedef {object} Tables
 * @property {{ readonly [name: string]: OpenAIChatFlavor }} chat
 * @property {{ readonly [name: string]: AnthropicFlavor }} anthropic
 * @property {{ readonly [name: string]: GeminiFlavor }} gemini
 */

/** @param {readonly string[]} words */
const code = (words) => words.map((word) => `\`${word}\``).join(', ')

/** @param {NonNullable<OpenAIChatFlavor['userIdRule']>} rule */
const describeUserIds = ({ minLength = 0, maxLength, pattern }) =>
  `${minLength} to ${maxLength} characters${pattern ? ' (letters, digits, `_`, `-`)' : ''}`

/**
 * The columns of the table of chat hosts: a title, and a function that formats a cell.
 * @type {readonly (readonly [title: string, format: (flavor: OpenAIChatFlavor) => readonly (string | undefined |
 * false)[]])[]}
 */
const columns = [
  [
    'settings',
    ({
      settingNames = {},
      supportsTopK,
      maxTemperature,
      maxStopSequences,
      isStopAlwaysList,
      isLogprobsCount,
      userIdRule,
    }) => [
      ...Object.entries(settingNames).map(([usual, own]) => `\`${own}\` for \`${usual}\``),
      supportsTopK && '`top_k`',
      maxTemperature !== undefined && `temperature up to ${maxTemperature}`,
      maxStopSequences !== undefined && `${maxStopSequences} stop sequence`,
      isStopAlwaysList && '`stop` is a list',
      isLogprobsCount && '`logprobs` is a number',
      userIdRule && `user ids: ${describeUserIds(userIdRule)}`,
    ],
  ],
  ['refused settings', ({ refusedSettings }) => [refusedSettings && code(refusedSettings)]],
  [
    "settings of OpenAI's own",
    ({ openaiSettings }) => [
      openaiSettings && (openaiSettings.length === 0 ? 'none' : `only ${code(openaiSettings)}`),
    ],
  ],
  [
    'reasoning',
    ({ reasoningFields, reasoningRequired, refusedFields, hasThinkingSwitch }) => [
      reasoningFields && (reasoningFields.length === 0 ? 'not sent' : code(reasoningFields)),
      reasoningRequired && 'required in every assistant message',
      hasThinkingSwitch && '`thinking` turns reasoning on and off',
      refusedFields && 'fields of other hosts are not sent',
    ],
  ],
  [
    'messages',
    ({
      supportsDeveloperRole,
      supportsName,
      supportsRefusals,
      textOnly,
      supportsImagesField,
      supportsVideo,
      cacheStyle,
      callIdRule,
      turnOrder,
    }) => [
      supportsDeveloperRole === false && '`developer` sent as `system`',
      supportsName === false && 'no `name`',
      supportsRefusals === false && 'refusals as text',
      textOnly === 'everywhere' && 'content is text',
      textOnly === 'results' && 'results are text',
      supportsImagesField && '`images`',
      supportsVideo && '`video_url`',
      cacheStyle === 'control' && '`cache_control`',
      cacheStyle === 'none' && 'no cache markers',
      callIdRule &&
        `ids of ${callIdRule.isExactLength ? 'exactly' : 'up to'} ${callIdRule.maxLength} characters`,
      turnOrder &&
        'an assistant message between tool results and a user message; `prefix` on a final assistant message',
    ],
  ],
  [
    'tools and output',
    ({ toolChoices, toolSchemaTarget, supportsStrict, supportsCustomTools, outputForms }) => [
      toolChoices === 'auto' && 'choice: only `auto`',
      toolChoices === 'no-list' && 'no list of allowed tools',
      toolSchemaTarget && `schemas: \`${toolSchemaTarget}\``,
      supportsStrict === false && 'no `strict`',
      supportsCustomTools === false && 'no custom tools',
      outputForms && `output as ${code(outputForms)}`,
    ],
  ],
]

/** @param {readonly (readonly string[])[]} rows */
const table = ([head = [], ...rows]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/**
 * Renders the page.
 * @param {Tables} tables
 */
export function renderFlavors({ chat, anthropic, gemini }) {
  const hosts = Object.entries(chat).map(([name, flavor]) => [
    `\`${name}\``,
    ...columns.map(([, format]) => format(flavor).filter(Boolean).join('; ') || ' '),
  ])
  const clouds = Object.entries(anthropic).map(([name, { bodyVersion, isStreamInPath, createPath }]) => [
    `\`${name}\``,
    `\`${bodyVersion}\``,
    `\`${createPath('{model}', false)}\``,
    `\`${createPath('{model}', true)}\``,
    isStreamInPath ? 'only by the path' : 'by path and body',
  ])
  const google = Object.entries(gemini).map(([name, flavor]) => [
    `\`${name}\``,
    `\`${flavor.modelsPath}/{model}:generateContent\``,
    flavor.supportsCallIds ? 'with ids' : 'without ids',
    [flavor.requiresMediaTypes && 'with a media type', flavor.supportsCloudStorage && '`gs:` addresses']
      .filter(Boolean)
      .join('; '),
  ])
  return [
    '<!-- Generated by `npm run flavors`; do not edit. -->',
    '',
    '# Flavors',
    '',
    'A flavor states how a host differs from its dialect. Pass its name, and the request fits the host:',
    '',
    '```js',
    "import { dialects, user } from 'interlingua'",
    '',
    "const request = { model: 'some-model', messages: [user('Hi')], seed: 1 }",
    "dialects['openai-chat'].encodeRequest(request, { flavor: 'mistral' }) // `random_seed` for `seed`",
    '```',
    '',
    'A flavor is never guessed from a URL or a model. A dialect ignores the flavors of other dialects. A row lists only what',
    'differs from the dialect. Changes are reported like every other loss ([losses.md](losses.md)). In a translation, the',
    'option is the flavor of the target.',
    '',
    'A host may accept more than its row lists. Pass the flavor to `decodeRequest`, too, and what came from the host goes back to',
    'it as it came, until you edit it.',
    '',
    '## openai-chat',
    '',
    'Reasoning is sent in the first field that is listed; received reasoning keeps its field.',
    '',
    table([['host', ...columns.map(([title]) => title)], ...hosts]),
    '',
    '## anthropic',
    '',
    'The model is not in the body, and `anthropic_version` is. Paths are below the base URL, which for `vertex` ends with',
    '`/v1/projects/{project}/locations/{location}`.',
    '',
    table([['host', 'version', 'path', 'path of streams', 'how streaming is requested'], ...clouds]),
    '',
    '## gemini',
    '',
    'The base URL ends with `/v1/projects/{project}/locations/{location}`.',
    '',
    table([['host', 'path', 'calls and results', 'media at an address'], ...google]),
    '',
  ].join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  /** @param {string} dialect */
  const flavorsOf = async (dialect) =>
    (await import(new URL(`../dist/dialects/${dialect}/flavors.js`, import.meta.url).href)).flavors
  const [chat, anthropic, gemini] = await Promise.all(['openai-chat', 'anthropic', 'gemini'].map(flavorsOf))
  writeFileSync(
    new URL('../docs/reference/flavors.md', import.meta.url),
    renderFlavors({ chat, anthropic, gemini }),
  )
}
