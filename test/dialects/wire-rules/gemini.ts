import { each, listOf, type Wire, type WireRule } from './rule.ts'

/** How many parts of a content hold something under a key. */
const count = (content: Wire | undefined, key: string): number =>
  listOf(content, 'parts').filter((part) => key in part).length

const eachContent = (broken: Parameters<typeof each>[1]): WireRule['broken'] => each('contents', broken)

const isAnswer = (content: Wire | undefined): boolean => content?.['role'] === 'model'

/** What Google's server refuses. */
export const geminiRules: readonly WireRule[] = [
  {
    id: 'user-first',
    broken: (body) => (isAnswer(listOf(body, 'contents')[0]) ? ['contents/0'] : []),
  },
  {
    id: 'one-answer',
    broken: eachContent((content, index, all) =>
      isAnswer(content) && isAnswer(all[index - 1]) ? [`contents/${index}`] : [],
    ),
  },
  {
    id: 'results-follow-calls',
    broken: eachContent((content, index, all) => {
      const calls = count(all[index - 1], 'functionCall')
      return calls === count(content, 'functionResponse') ? [] : [`contents/${index}`]
    }),
  },
  {
    id: 'parts-in-contents',
    broken: eachContent((content, index) =>
      listOf(content, 'parts').length === 0 ? [`contents/${index}`] : [],
    ),
  },
  {
    id: 'words-in-texts',
    broken: eachContent((content, index) =>
      listOf(content, 'parts').some((part) => part['text'] === '' && part['thoughtSignature'] === undefined)
        ? [`contents/${index}`]
        : [],
    ),
  },
  {
    id: 'first-call-signed',
    broken: eachContent((content, index) => {
      const first = listOf(content, 'parts').find((part) => 'functionCall' in part)
      return first !== undefined && typeof first['thoughtSignature'] !== 'string' ? [`contents/${index}`] : []
    }),
  },
  {
    id: 'references-name-parts',
    broken: eachContent((content) =>
      listOf(content, 'parts').flatMap(({ functionResponse: given }) => {
        const names = JSON.stringify(given ?? {}).matchAll(/"displayName":"([^"]*)"/g)
        const known = [...names].map(([, name]) => name)
        const asked = JSON.stringify(given ?? {}).matchAll(/"\$ref":"([^"]*)"/g)
        return [...asked].map(([, name = '']) => name).filter((name) => !known.includes(name))
      }),
    ),
  },
  {
    id: 'choice-needs-functions',
    broken: (body) =>
      'toolConfig' in body && !listOf(body, 'tools').some((tool) => 'functionDeclarations' in tool)
        ? ['toolConfig']
        : [],
  },
]
