import { type GatewayServer, startGateway } from 'interlingua/gateway/node'
import { mockProvider } from 'interlingua/testing/providers'
import { describe, expect, test } from 'vitest'
import { createTestConfig, DIALECTS } from '../upstreams.ts'
import { ANSWERS, createAnsweringModel, FEATURES } from './questions.ts'
import { type AskMode, findLimit, type SdkClient } from './sdk-client.ts'

/** Starts a gateway in front of doubles that answer the questions. */
export function startQuestionGateway(): Promise<GatewayServer> {
  return startGateway(createTestConfig(mockProvider({ model: createAnsweringModel() })), { port: 0 })
}

const MODES: readonly AskMode[] = ['ask', 'stream']

/**
 * Tests that unmodified clients get the right answers from the doubles of all providers behind the gateway at a URL. `SOAK=1` asks
 * everything in both modes.
 */
export function describeClients(clients: readonly SdkClient[], getUrl: () => string): void {
  describe.each(clients.map((client, index) => [client.name, client, index] as const))(
    '%s',
    (_name, client, clientIndex) => {
      test.each(DIALECTS.map((dialect, index) => [dialect, index] as const))(
        'gets right answers from %s',
        async (upstream, upstreamIndex) => {
          for (const [index, feature] of FEATURES.entries()) {
            const mode = MODES[(clientIndex + upstreamIndex + index) % MODES.length] ?? 'ask'
            for (const each of process.env['SOAK'] ? MODES : [mode]) {
              const question = { feature, model: `upstream-${upstream}`, url: getUrl() }
              const expected = { reasoning: '', calls: [], ...ANSWERS[feature] }
              const limit = findLimit(client, feature, each)
              const answer = client[each](question)
              // A limit that no longer exists must leave the list.
              if (limit === undefined)
                expect([feature, each, await answer]).toEqual([feature, each, expected])
              else expect(await answer.catch(() => undefined), limit.reason).not.toEqual(expected)
            }
          }
        },
      )
    },
  )
}
