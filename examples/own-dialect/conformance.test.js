// @ts-check
// `node --test conformance.test.js` tests the dialect with the conformance suite. A provider's bodies come from its documentation
// and from recorded traffic.
import { test } from 'node:test'
import { dialectConformanceTests } from 'interlingua/dialects/testing'
import { parleyDialect } from './parley.js'

const weather = { tool: 'weather', about: 'The weather.', takes: { type: 'object', properties: {} } }
const call = { kind: 'use', id: 'c1', tool: 'weather', with: { city: 'Oslo' } }

const samples = {
  requests: {
    text: { engine: 'parley-1', turns: [{ by: 'human', say: 'Hi' }], live: false },
    tools: {
      engine: 'parley-1',
      brief: 'Be brief.',
      heat: 0.5,
      limit: 100,
      hush: ['END'],
      live: true,
      tools: [weather],
      turns: [
        {
          by: 'human',
          say: [
            { kind: 'words', words: 'The weather of this place?', accent: 'plain' },
            { kind: 'picture', url: 'https://example.com/place.png' },
            { kind: 'picture', base64: 'AAAA', mime: 'image/png' },
          ],
        },
        { by: 'bot', say: [{ kind: 'thought', words: 'I need the tool.' }, call] },
        { by: 'tool', say: [{ kind: 'used', id: 'c1', gave: 'Rain', failed: true }] },
      ],
    },
  },
  responses: {
    text: {
      id: 'r1',
      engine: 'parley-1',
      say: [
        { kind: 'thought', words: 'Hm.' },
        { kind: 'words', words: 'Hello!' },
      ],
      why: 'done',
      spent: { in: 5, out: 7 },
    },
    call: { id: 'r2', engine: 'parley-1', say: [call], why: 'tools' },
  },
  streams: {
    call: [
      { event: 'open', id: 'r1', engine: 'parley-1' },
      { event: 'block', at: 0, block: { kind: 'words', words: 'Hel' } },
      { event: 'more', at: 0, piece: 'lo' },
      { event: 'close', at: 0 },
      { event: 'block', at: 1, block: { ...call, with: {} } },
      { event: 'more', at: 1, piece: '{"city":' },
      { event: 'more', at: 1, piece: '"Oslo"}' },
      { event: 'close', at: 1 },
      { event: 'end', why: 'tools', spent: { in: 5, out: 7 } },
    ]
      .map((event) => `data: ${JSON.stringify(event)}\n\n`)
      .join(''),
  },
}

for (const { name, run } of dialectConformanceTests({ dialect: parleyDialect, samples })) void test(name, run)
