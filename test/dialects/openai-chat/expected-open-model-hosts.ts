import type { openModelHosts } from '../../../src/dialects/openai-chat/open-model-hosts.ts'
import {
  control,
  type Expected,
  kept,
  lax,
  limit,
  nameless,
  noLogprobs,
  noPenalties,
  onlyWeather,
  plainer,
  reasoning,
  reasoningContent,
  refusalAsText,
  system,
  top,
  topK,
  unmarked,
} from './expected-changes.ts'

const noMetadata = ['- /metadata/team "a"']
const oneCandidate = ['- /n 2']
const noUser = ['- /user "u-1"']
const noParallel = ['- /parallel_tool_calls false']
const required = [...onlyWeather, '+ /tool_choice "required"']
const cooler = ['+ /temperature 1', '- /temperature 1.8']

const refused = (...settings: readonly string[]) => settings.map((each) => `model-setting /${each}`)
const withheld = 'tools-withheld /toolChoice'

/** What hosts of open models receive, and which losses are reported. */
export const expectedOpenModelHosts: { readonly [name in keyof typeof openModelHosts]: Expected } = {
  cloudflare: {
    changes: [
      ...limit,
      ...noLogprobs,
      ...noMetadata,
      ...noParallel,
      ...noUser,
      ...oneCandidate,
      ...reasoningContent,
      ...system,
      ...topK,
      ...unmarked,
    ],
    losses: [...refused('candidateCount', 'logprobs', 'metadata', 'parallelToolCalls', 'user'), ...plainer],
    spared: [top, kept],
  },
  deepinfra: {
    changes: [
      ...limit,
      ...onlyWeather,
      ...reasoningContent,
      ...system,
      ...topK,
      ...unmarked,
      '+ /tool_choice "auto"',
    ],
    losses: ['model-tool-choice /toolChoice', withheld, ...plainer],
    spared: [top, kept],
  },
  'github-models': {
    changes: [
      ...nameless,
      ...noLogprobs,
      ...noMetadata,
      ...noParallel,
      ...noUser,
      ...oneCandidate,
      ...refusalAsText,
      ...required,
      ...unmarked,
    ],
    losses: [
      ...refused('candidateCount', 'logprobs', 'metadata', 'parallelToolCalls', 'user'),
      withheld,
      'cache-hint /messages/1/content/0/cache',
      'message-name /messages/1/name',
      'refusal-as-text /messages/5/content/0',
    ],
    spared: [],
  },
  huggingface: {
    changes: [
      ...limit,
      ...noMetadata,
      ...noParallel,
      ...noUser,
      ...oneCandidate,
      ...reasoning,
      ...required,
      ...system,
      ...unmarked,
    ],
    losses: [...refused('candidateCount', 'metadata', 'parallelToolCalls', 'user'), withheld, ...plainer],
    spared: [kept],
  },
  litellm: { changes: [...control, ...reasoningContent, ...topK], losses: [], spared: [top, kept] },
  minimax: {
    changes: [
      ...cooler,
      ...noPenalties,
      ...oneCandidate,
      ...system,
      ...unmarked,
      '+ /messages/2/reasoning_details/0/text "I should ask."',
      '+ /messages/2/reasoning_details/0/type "reasoning.text"',
    ],
    losses: [
      ...refused('candidateCount', 'frequencyPenalty', 'presencePenalty'),
      'temperature-range /temperature',
      ...plainer,
    ],
    spared: [kept],
  },
  nebius: {
    changes: [...reasoningContent, ...required, ...system, ...unmarked],
    losses: [withheld, ...plainer],
    spared: [kept],
  },
  nvidia: {
    changes: [
      ...limit,
      ...noLogprobs,
      ...noMetadata,
      ...noUser,
      ...oneCandidate,
      ...reasoningContent,
      ...required,
      ...system,
      ...unmarked,
    ],
    losses: [...refused('candidateCount', 'logprobs', 'metadata', 'user'), withheld, ...plainer],
    spared: [kept],
  },
  sambanova: {
    changes: [
      ...lax,
      ...nameless,
      ...noLogprobs,
      ...noMetadata,
      ...noUser,
      ...oneCandidate,
      ...reasoning,
      ...refusalAsText,
      ...required,
      ...system,
      ...topK,
      ...unmarked,
      '+ /messages/1/content/1/text "[image, https://example.org/a.png]"',
      '- /messages/1/content/1/image_url/url "https://example.org/a.png"',
      '+ /messages/1/content/1/type "text"',
      '- /messages/1/content/1/type "image_url"',
      '- /seed 7',
    ],
    losses: [
      ...refused('candidateCount', 'logprobs', 'metadata', 'seed', 'user'),
      withheld,
      ...plainer,
      'unsupported-media /messages/1/content/1',
      'message-name /messages/1/name',
      'refusal-as-text /messages/5/content/0',
      'no-field /tools/0/strict',
    ],
    spared: [top, kept],
  },
}
