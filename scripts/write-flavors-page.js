// @ts-check
// Writes docs/reference/flavors.md from the dialects' tables: the differences between hosts of the same dialect.
import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { loadSource } from './load-source.js'

/** @typedef {import('../src/dialects/openai-chat/flavor-type.ts').OpenAIChatFlavor} OpenAIChatFlavor */
/** @typedef {import('../src/dialects/anthropic/flavors.ts').AnthropicFlavor} AnthropicFlavor */
/** @typedef {import('../src/dialects/gemini/flavors.ts').GeminiFlavor} GeminiFlavor */
/** @typedef {import('../src/dialects/openai-responses/flavors.ts').OpenAIResponsesFlavor} OpenAIResponsesFlavor */

/**
 * @typedef {object} Tables
 * @property {{ readonly [name: string]: OpenAIChatFlavor }} chat
 * @property {{ readonly [name: string]: AnthropicFlavor }} anthropic
 * @property {{ readonly [name: string]: GeminiFlavor }} gemini
 * @property {{ readonly [name: string]: OpenAIResponsesFlavor }} responses
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
    ({
      reasoningFields,
      requiredReasoning,
      refusedFields,
      thinkingSwitch,
      isSwitchExclusive,
      budgetField,
      modelEfforts,
    }) => [
      reasoningFields && (reasoningFields.length === 0 ? 'not sent' : code(reasoningFields)),
      requiredReasoning &&
        `required in every assistant message${requiredReasoning.messages === 'all' ? '' : ' with tool calls'}`,
      thinkingSwitch && `\`${thinkingSwitch}\` turns reasoning on and off`,
      isSwitchExclusive && 'not with an effort',
      budgetField && `\`${budgetField}\` for a budget`,
      ...(modelEfforts ?? []).map(
        ({ models, efforts }) => `\`${models.source}\`: the efforts ${code(Object.values(efforts))}`,
      ),
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
    ({
      toolChoices,
      toolSchemaTarget,
      supportsStrict,
      supportsCustomTools,
      outputForms,
      supportsOutputWithTools,
    }) => [
      toolChoices === 'auto' && 'choice: only `auto`',
      toolChoices === 'no-list' && 'no list of allowed tools',
      toolSchemaTarget && `schemas: \`${toolSchemaTarget}\``,
      supportsStrict === false && 'no `strict`',
      supportsCustomTools === false && 'no custom tools',
      outputForms && `output as ${code(outputForms)}`,
      supportsOutputWithTools === false && 'no JSON output beside tools',
    ],
  ],
]

/** @param {readonly (readonly string[])[]} rows */
const table = ([head = [], ...rows]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** @param {AnthropicFlavor} flavor */
const describeMessagesHost = ({ refusedSettings, maxTemperature, toolChoices, mediaTypes, imageUrls }) =>
  [
    refusedSettings && `refused settings: ${code(refusedSettings)}`,
    maxTemperature !== undefined && `temperature up to ${maxTemperature}`,
    toolChoices && 'no tool choice',
    mediaTypes && (mediaTypes.length === 0 ? 'no media' : `media: ${code(mediaTypes)}`),
    imageUrls === false && 'images inline only',
  ]
    .filter(Boolean)
    .join('; ')

/**
 * Renders the page.
 * @param {Tables} tables
 */
export function renderFlavors({ chat, anthropic, gemini, responses }) {
  const byName = Object.entries(chat).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const hosts = byName.map(([name, flavor]) => [
    `\`${name}\``,
    ...columns.map(([, format]) => format(flavor).filter(Boolean).join('; ') || ' '),
  ])
  const clouds = Object.entries(anthropic).flatMap(([name, { cloud }]) => {
    if (cloud === undefined) return []
    const { bodyVersion, isStreamInPath, createPath } = cloud
    const paths = [createPath('{model}', false), createPath('{model}', true)]
    const streams = isStreamInPath ? 'only by the path' : 'by path and body'
    return [[...[name, bodyVersion, ...paths].map((text) => `\`${text}\``), streams]]
  })
  const messagesHosts = Object.entries(anthropic).flatMap(([name, flavor]) =>
    flavor.isCompatibleHost ? [[`\`${name}\``, describeMessagesHost(flavor) || ' ']] : [],
  )
  const openHosts = Object.entries(responses).map(([name, flavor]) => [
    `\`${name}\``,
    [
      flavor.supportsPenalties && '`presence_penalty`, `frequency_penalty`',
      flavor.supportsUser === false && 'no `user`',
      flavor.efforts && `efforts ${code(flavor.efforts)}`,
      flavor.supportsProviderTools === false && 'functions only',
      flavor.supportsJsonWithoutSchema === false && 'JSON output with a schema only',
    ]
      .filter(Boolean)
      .join('; '),
    [
      flavor.responseFields && `always ${code(Object.keys(flavor.responseFields))}`,
      flavor.hasOpenEvents && '`response.reasoning.*` events, nested errors, `[DONE]` at the end',
    ]
      .filter(Boolean)
      .join('; '),
  ])
  const google = Object.entries(gemini).map(([name, flavor]) => [
    `\`${name}\``,
    `\`${flavor.modelsPath}/{model}:generateContent\``,
    flavor.supportsCallIds === false ? 'without ids' : 'with ids',
    [flavor.requiresMediaTypes && 'with a media type', flavor.supportsCloudStorage && '`gs:` addresses']
      .filter(Boolean)
      .join('; '),
  ])
  return [
    '<!-- Generated by `npm run flavors`; do not edit. -->',
    '',
    '# Flavors',
    '',
    'A flavor states how a host differs from its dialect. Pass its name, and the request is fitted to the host:',
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
    'A host may accept more than its row lists. If you also pass the flavor to `decodeRequest`, a request from this host is sent',
    'back to it unchanged, except for the values that you edit.',
    '',
    '## openai-chat',
    '',
    'Reasoning is sent in the first listed field; reasoning that was received from the host is sent in its original field.',
    '',
    table([['host', ...columns.map(([title]) => title)], ...hosts]),
    '',
    '## openai-responses',
    '',
    'The [Open Responses](https://www.openresponses.org) specification, which vLLM, Ollama, LM Studio, OpenRouter and others',
    'implement. Items, tools and events of extensions (`slug:name`) are kept and sent back.',
    '',
    table([['host', 'requests', 'responses'], ...openHosts]),
    '',
    '## anthropic',
    '',
    'Hosts that run models of other vendors: reasoning is sent without a signature, `thinking` is `enabled` or `disabled`,',
    'output schemas are not sent, and the API version is 2023-06-01.',
    '',
    table([['host', 'other differences'], ...messagesHosts]),
    '',
    'Clouds that run Claude: the body contains `anthropic_version`, and no model. Paths are below the base URL, which for',
    '`vertex` ends with `/v1/projects/{project}/locations/{location}`.',
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
  const flavorsOf = async (dialect) => (await loadSource(`dialects/${dialect}/flavors.ts`)).flavors
  const [chat, anthropic, gemini, responses] = await Promise.all(
    ['openai-chat', 'anthropic', 'gemini', 'openai-responses'].map(flavorsOf),
  )
  writeFileSync(
    new URL('../docs/reference/flavors.md', import.meta.url),
    renderFlavors({ chat, anthropic, gemini, responses }),
  )
}
