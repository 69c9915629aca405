import { expect, test } from 'vitest'
import { libraryClients, officialClients } from './clients/all-clients.ts'
import { FEATURES } from './clients/questions.ts'
import type { SdkClient } from './clients/sdk-client.ts'
import { DIALECTS, TARGETS } from './upstreams.ts'

const PAGE = '../../docs/reference/gateway-matrix.md'

const MODE_NAMES = { ask: ', not streamed', stream: ', streamed' }

function renderTable(clients: readonly SdkClient[]): string {
  const rows = clients.map(({ name, dialect, limits = [] }) => [
    `\`${name}\``,
    dialect,
    ...DIALECTS.map(() => (limits.length === 0 ? 'all' : 'all but')),
    limits
      .map(({ feature, mode, reason }) => `${feature}${mode ? MODE_NAMES[mode] : ''}: ${reason}`)
      .join('; ') || ' ',
  ])
  const head = ['client', 'its format', ...DIALECTS, 'limits of the client']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

test('the page of the matrix is current (`npx vitest run test/gateway/matrix-page.test.ts -u` writes it)', async () => {
  const page = [
    '<!-- Written by test/gateway/matrix-page.test.ts; do not edit. -->',
    '',
    '# Clients and providers of the gateway',
    '',
    'Each unmodified client (row) asks the strict double of each provider (column) through the [gateway](../guide/gateway.md), with',
    `and without streaming, for ${FEATURES.join(', ')}.`,
    'The double refuses what its provider would refuse, and answers only what has arrived: without the tool, the image or the schema',
    'of the question, the answer is wrong. `test/gateway/official-clients.test.ts` and',
    '`test/gateway/library-clients.test.ts` run the table.',
    '',
    '## Clients of the vendors',
    '',
    renderTable(officialClients),
    '',
    '`openai`, `@google/genai`, `ollama` and `@mistralai/mistralai` also get the vectors of all providers that have embeddings.',
    '',
    '## The AI SDK and LangChain',
    '',
    renderTable(libraryClients),
    '',
    '## Models of the doubles',
    '',
    ...DIALECTS.map((dialect) => `- ${dialect}: \`${TARGETS[dialect]}\``),
    '',
  ].join('\n')
  await expect(page).toMatchFileSnapshot(PAGE)
})
