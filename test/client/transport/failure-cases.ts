import type { ProviderErrorKind } from 'interlingua'
import type { ProviderOptions } from 'interlingua/providers'
import {
  type Act,
  cutsAfter,
  hangsUp,
  sends,
  stallsAfter,
  staysSilent,
} from '../../providers/fakes/server.ts'
import { type FakeWire, FAKE_TEXT } from '../../providers/fakes/wire.ts'

/** A failure and its expected outcome. */
export interface Case {
  /** The text in the table of docs/reference/errors.md. */
  readonly title: string
  readonly act: (wire: FakeWire) => Act
  /** Undefined if the response is complete nevertheless. */
  readonly kind: ProviderErrorKind | undefined
  readonly again: boolean
  /** The text received before it in a stream. */
  readonly partial?: string
  readonly options?: ProviderOptions
}

/** Long enough for data to arrive on a busy machine. */
const soon = 250

const refusal = (status: number, headers?: { readonly [name: string]: string }) => (wire: FakeWire) =>
  sends(wire.error(status, 'No.'), status, headers)

/** Failures by status or body, for whole and streamed responses. */
export const refusals: readonly Case[] = [
  { title: 'status 400', act: refusal(400), kind: 'invalid-request', again: false },
  { title: 'status 401', act: refusal(401), kind: 'authentication', again: false },
  { title: 'status 403', act: refusal(403), kind: 'permission', again: false },
  { title: 'status 404', act: refusal(404), kind: 'not-found', again: false },
  { title: 'status 408', act: refusal(408), kind: 'timeout', again: true },
  { title: 'status 409', act: refusal(409), kind: 'invalid-request', again: true },
  { title: 'status 413', act: refusal(413), kind: 'too-large', again: false },
  { title: 'status 422', act: refusal(422), kind: 'invalid-request', again: false },
  { title: 'status 429', act: refusal(429), kind: 'rate-limit', again: true },
  { title: 'status 500', act: refusal(500), kind: 'server', again: true },
  { title: 'status 503', act: refusal(503), kind: 'overloaded', again: true },
  { title: 'status 504', act: refusal(504), kind: 'timeout', again: true },
  { title: 'status 529', act: refusal(529), kind: 'overloaded', again: true },
  {
    title: 'a conversation that is too long',
    act: ({ overflow: [status, body] }) => sends(body, status),
    kind: 'context-overflow',
    again: false,
  },
  {
    title: 'x-should-retry: false',
    act: refusal(500, { 'x-should-retry': 'false' }),
    kind: 'server',
    again: false,
  },
  {
    title: 'x-should-retry: true',
    act: refusal(400, { 'x-should-retry': 'true' }),
    kind: 'invalid-request',
    again: true,
  },
  {
    title: 'the connection is cut before the head of the answer',
    act: () => hangsUp,
    kind: 'network',
    again: true,
  },
  {
    title: 'the head of the answer does not come',
    act: () => staysSilent,
    kind: 'timeout',
    again: true,
    options: { timeouts: { headersMs: soon } },
  },
  {
    title: 'the call takes too long',
    act: () => staysSilent,
    kind: 'timeout',
    again: false,
    options: { timeouts: { totalMs: soon } },
  },
]

const half = (wire: FakeWire): readonly string[] => [JSON.stringify(wire.whole).slice(0, 40)]

/** Failures of a body that is not streamed. */
export const bodies: readonly Case[] = [
  {
    title: 'a body is cut',
    act: (wire) => cutsAfter(half(wire), 'application/json'),
    kind: 'network',
    again: true,
  },
  {
    title: 'a body stalls',
    act: (wire) => stallsAfter(half(wire), 'application/json'),
    kind: 'timeout',
    again: true,
    options: { timeouts: { idleMs: soon } },
  },
  { title: 'a body is not JSON', act: () => sends('<html>Welcome</html>'), kind: 'server', again: false },
  {
    title: 'a body is larger than allowed',
    act: ({ whole }) => sends({ ...(whole as object), padding: 'x'.repeat(5_000) }),
    kind: 'too-large',
    again: false,
    options: { limits: { maxBodyBytes: 4_000 } },
  },
]

/** The position after the first text. */
const begun = ({ events }: FakeWire): readonly string[] =>
  events.slice(0, events.findIndex((event) => event.includes('Hello ')) + 1)

const next = (wire: FakeWire): string => wire.events[begun(wire).length] ?? ''

/** Failures of a stream. */
export const streamed: readonly Case[] = [
  {
    title: 'a stream is cut before its first event',
    act: ({ streamType }) => cutsAfter([], streamType),
    kind: 'network',
    again: true,
  },
  {
    title: 'a stream ends before its first event',
    act:
      ({ streamType }) =>
      (response) =>
        void response.writeHead(200, { 'content-type': streamType }).end(),
    kind: 'network',
    again: true,
  },
  {
    title: 'a stream is a web page',
    act: () => sends('<html>Log in</html>', 200, { 'content-type': 'text/html; charset=utf-8' }),
    kind: 'server',
    again: false,
  },
  {
    title: 'the first event does not come',
    act: ({ streamType }) => stallsAfter([], streamType),
    kind: 'timeout',
    again: true,
    options: { timeouts: { firstEventMs: soon } },
  },
  {
    title: 'a stream is cut between two events',
    act: (wire) => cutsAfter(begun(wire), wire.streamType),
    kind: 'network',
    again: false,
    partial: 'Hello ',
  },
  {
    title: 'a stream is cut in the middle of an event',
    act: (wire) => cutsAfter([...begun(wire), next(wire).slice(0, 30)], wire.streamType),
    kind: 'network',
    again: false,
    partial: 'Hello ',
  },
  {
    title: 'a stream ends before the answer does',
    act: (wire) => (response) =>
      void response.writeHead(200, { 'content-type': wire.streamType }).end(begun(wire).join('')),
    kind: 'network',
    again: false,
    partial: 'Hello ',
  },
  {
    title: 'a stream stalls',
    act: (wire) => stallsAfter(begun(wire), wire.streamType),
    kind: 'timeout',
    again: false,
    partial: 'Hello ',
    options: { timeouts: { idleMs: soon } },
  },
  {
    title: 'an event is larger than allowed',
    act: (wire) =>
      cutsAfter([...begun(wire), next(wire).replace('there.', 'x'.repeat(60_000))], wire.streamType),
    kind: 'too-large',
    again: false,
    partial: 'Hello ',
    options: { limits: { maxLineChars: 20_000, maxEventChars: 20_000 } },
  },
  {
    title: 'a stream is cut after its last event',
    act: ({ events, streamType }) => cutsAfter(events, streamType),
    kind: undefined,
    again: false,
    partial: FAKE_TEXT,
  },
]
