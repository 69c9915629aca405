import { toolNameRule } from '../../dialects/gemini/constants.ts'
import { GOOGLE_MAX_STOP_SEQUENCES } from '../../dialects/shared/google-common.ts'
import { isValidToolName } from '../../dialects/shared/tool-names.ts'
import {
  eachOf,
  findRepeated,
  getObject,
  getText,
  listObjects,
  refuse,
  type RequestRule,
  type WireObject,
} from './request-rule.ts'

const listContents = (body: WireObject): readonly WireObject[] => listObjects(body['contents'])
const listParts = (content: WireObject | undefined): readonly WireObject[] => listObjects(content?.['parts'])
const countParts = (content: WireObject | undefined, key: string): number =>
  listParts(content).filter((part) => key in part).length

const listFunctions = (body: WireObject): readonly WireObject[] =>
  listObjects(body['tools']).flatMap((tool) => listObjects(tool['functionDeclarations']))

/** What Google refuses in Gemini requests beyond its schema. The texts are those of its server. */
export const geminiRules: readonly RequestRule[] = [
  {
    id: 'contents',
    summary: 'A request has contents.',
    find: (body) =>
      listContents(body).length > 0
        ? []
        : refuse('/contents', '* GenerateContentRequest.contents: contents is not specified\n'),
  },
  {
    id: 'parts-in-contents',
    summary: 'Every content has a part with data; empty text alone is not enough.',
    find: eachOf('contents', (content, index) =>
      listParts(content).some((part) => part['text'] !== '' || 'thoughtSignature' in part)
        ? []
        : refuse(
            `/contents/${index}/parts`,
            `* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.\n`,
          ),
    ),
  },
  {
    id: 'calls-follow-user',
    summary: 'A function call follows a user message or the result of a function.',
    find: eachOf('contents', (content, index, contents) =>
      countParts(content, 'functionCall') > 0 &&
      (index === 0 || (contents[index - 1]?.['role'] === 'model' && content['role'] === 'model'))
        ? refuse(
            `/contents/${index}`,
            'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
          )
        : [],
    ),
  },
  {
    id: 'results-follow-calls',
    summary: 'The content after function calls contains as many results.',
    find: eachOf('contents', (content, index, contents) => {
      const calls = countParts(contents[index - 1], 'functionCall')
      const results = countParts(content, 'functionResponse')
      if (calls === results) return []
      return calls === 0
        ? refuse(
            `/contents/${index}`,
            'Please ensure that function response turn comes immediately after a function call turn.',
          )
        : refuse(
            `/contents/${index}`,
            'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
          )
    }),
  },
  {
    id: 'media-have-type',
    summary: 'Files and inline data have a media type, and inline data is not empty.',
    find: eachOf('contents', (content, index) =>
      listParts(content).flatMap((part, at) =>
        (['inlineData', 'fileData'] as const).flatMap((key) => {
          if (part[key] === undefined) return []
          const { mimeType, data } = getObject(part, key)
          const isMissing = getText(mimeType) === '' && key === 'inlineData'
          return isMissing || data === ''
            ? refuse(
                `/contents/${index}/parts/${at}/${key}`,
                `Unable to submit request because it has a mimeType parameter with value ${getText(mimeType)}, which is not supported or empty.`,
              )
            : []
        }),
      ),
    ),
  },
  {
    id: 'stop-sequences',
    summary: `A request has at most ${GOOGLE_MAX_STOP_SEQUENCES} stop sequences.`,
    find: (body) => {
      const { stopSequences } = getObject(body, 'generationConfig')
      return Array.isArray(stopSequences) && stopSequences.length > GOOGLE_MAX_STOP_SEQUENCES
        ? refuse(
            '/generationConfig/stopSequences',
            `the number of stop_sequences must not exceed ${GOOGLE_MAX_STOP_SEQUENCES}`,
          )
        : []
    },
  },
  {
    id: 'level-or-budget',
    summary: 'A request has a thinking level or a thinking budget, not both.',
    find: (body) => {
      const thinking = getObject(getObject(body, 'generationConfig'), 'thinkingConfig')
      return 'thinkingLevel' in thinking && 'thinkingBudget' in thinking
        ? refuse(
            '/generationConfig/thinkingConfig',
            'You can only set one of thinking budget and thinking level.',
          )
        : []
    },
  },
  {
    id: 'function-config-needs-functions',
    summary: 'A function calling mode needs functions.',
    find: (body) =>
      'functionCallingConfig' in getObject(body, 'toolConfig') && listFunctions(body).length === 0
        ? refuse('/toolConfig', 'Function calling config is set without function_declarations.')
        : [],
  },
  {
    id: 'function-names',
    summary:
      'Function names start with a letter or `_` and have at most 128 letters, digits, `_`, `.`, `:` and `-`.',
    find: (body) =>
      listFunctions(body).flatMap(({ name }, index) =>
        isValidToolName(getText(name), toolNameRule)
          ? []
          : refuse(
              '/tools',
              `* GenerateContentRequest.tools[0].function_declarations[${index}].name: [Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.]\n`,
            ),
      ),
  },
  {
    id: 'unique-functions',
    summary: 'No two functions have the same name.',
    find: (body) => {
      const [repeated] = findRepeated(listFunctions(body).map(({ name }) => getText(name)))
      return repeated === undefined
        ? []
        : refuse('/tools', `Duplicate function declaration found: ${repeated}`)
    },
  },
]
