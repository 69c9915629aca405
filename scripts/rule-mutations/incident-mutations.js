// @ts-check
// Changes that remove a protection of docs/internals/incidents.md. The ids of incidents are tags of tests, too.
import { mutationsOf } from './mutation.js'

/** @type {readonly import('./mutation.js').RuleMutation[]} */
export const incidentMutations = [
  ...mutationsOf('gateway/client-registry.ts', 'gateway/incidents.test.ts', [
    ['S1', 'return key ?? throwKeyError(', 'return given.includes("\'") ? undefined : key ?? throwKeyError('],
  ]),
  ...mutationsOf('gateway/check-config.ts', 'gateway/incidents.test.ts', [
    ['S26', '!/^[0-9a-f]{64}$/.test(key.digest)', "key.digest === ''"],
  ]),
  ...mutationsOf('gateway/node/postgres-gateway-state.ts', 'gateway/shared-state.test.ts', [
    [
      'S1',
      '${statement}`, values, values[0])',
      "${statement.replace('?', `'${values[0]}'`)}`, values.slice(1), values[0])",
    ],
  ]),
  ...mutationsOf('stores/sql/sql-row-store.ts', 'stores/hostile-input.test.ts', [
    [
      'S2 S3',
      "conditions.push([`search like ? escape '\\\\'`, toLikePattern(search)])",
      "conditions.push([`search like '${toLikePattern(search)}' escape '\\\\'`])",
    ],
    ['S18', "[['tenant = ?', tenant]]", "[['tenant <> ?', '']]"],
  ]),
  ...mutationsOf('stores/sql/sql-statements.ts', 'stores/hostile-input.test.ts', [
    ['S19', "`%${part.replaceAll(/[\\\\%_]/g, '\\\\$&')}%`", '`%${part}%`'],
  ]),
  ...mutationsOf('wire/json.ts', 'canonical/parse.test.ts', [
    ['S5', "if (key === '__proto__') {", "if (key === '__proto__ ') {"],
  ]),
  ...mutationsOf('canonical/stored/stored-form.ts', 'canonical/stored-form.test.ts', [
    [
      'S4',
      'return STORED_READERS[kind](stored[kind],',
      "const revive = (key, value) => (key === 'id' ? Object(value) : value)\n" +
        'return STORED_READERS[kind](JSON.parse(JSON.stringify(stored[kind]), revive),',
    ],
  ]),
  ...mutationsOf('node/guarded-fetch.ts', 'node/guarded-fetch.test.ts', [
    ['S9', 'lookup: createPinnedLookup(address),', ''],
    [
      'S10',
      'return tryParseUrl(String(text), base)',
      "return tryParseUrl(String(text).replaceAll('\\\\', ''), base)",
    ],
    ['S11', 'if (reason !== undefined)', "if (reason === 'loopback' && url.pathname === '/start')"],
    ['S17', 'if (next.origin !== url.origin) headers =', "if (next.hostname === '') headers ="],
  ]),
  ...mutationsOf('node/ip-addresses.ts', 'node/ip-addresses.test.ts', [
    [
      'S11',
      "if (range !== 'unicast') return range",
      "if (range === 'loopback' || range === 'private') return range",
    ],
  ]),
  ...mutationsOf('wire/utf8-reader.ts', 'client/transport/abort.test.ts', [
    ['S13', 'const maxChars = resolveStreamLimits(limits).maxTotalChars', 'const maxChars = Infinity'],
  ]),
  ...mutationsOf('client/transport/response-body.ts', 'client/transport/abort.test.ts', [
    ['S16', 'if (size > maxBytes) {', 'if (size > 1000 * maxBytes) {'],
  ]),
  ...mutationsOf('schema/compile-pattern-test.ts', 'schema/hostile-schemas.test.ts', [
    [
      'S14',
      'return (text, countSteps) => findMatch(program, text, 0, true, countSteps)',
      "return (text) => program.length > 0 && new RegExp(pattern, 'u').test(text)",
    ],
  ]),
  ...mutationsOf('client/check-call-input.ts', 'client/transport/redirects.test.ts', [
    ['S7', "checkOptions('the request', input, REQUEST_NAMES, REQUEST_HINTS)", 'undefined'],
  ]),
  ...mutationsOf('wire/json.ts', 'wire/partial-json-parser.test.ts', [
    ['S12', "if (key === '__proto__') {", "if (key === '__proto__ ') {"],
  ]),
  ...mutationsOf('client/resolve-media.ts', 'client/resolve-media.test.ts', [
    ['S8', '(this.#options.allowedHosts ?? [])', '(this.#options.allowedHosts ?? [hostname])'],
  ]),
  ...mutationsOf('gateway/router.ts', 'gateway/incidents.test.ts', [
    [
      'S12',
      'return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name',
      'return aliases[name] ?? name',
    ],
    ['S23', 'return { ...changed, maxOutputTokens: limit }', 'return changed'],
  ]),
  ...mutationsOf('gateway/request-record.ts', 'gateway/incidents.test.ts', [
    ['S21', 'return { target, error: nameError(error),', 'return { target, error: error.message,'],
  ]),
  ...mutationsOf('gateway/node/start-gateway.ts', 'gateway/start-gateway.test.ts', [
    [
      'S15',
      'if (isLocal && !isSameMachine(request.headers)) response.writeHead(403).end()',
      'if (isLocal && request.headers.host === undefined) response.writeHead(403).end()',
    ],
    ['S15', 'if (!isLocal && keys.length === 0) throw', "if (host === '') throw"],
  ]),
  ...mutationsOf('gateway/read-request.ts', 'gateway/operations.test.ts', [
    [
      'S16',
      'readRequestText(decompressBody(request), maxBytes)',
      'readRequestText(decompressBody(request), Infinity)',
    ],
  ]),
  ...mutationsOf('gateway/state/conversation-state.ts', 'gateway/carried-state.test.ts', [
    ['S18', "JSON.stringify(['call', this.#client, callId])", "JSON.stringify(['call', callId])"],
  ]),
  ...mutationsOf('gateway/state/conversation-state.ts', 'gateway/shared-state.test.ts', [
    ['S21', 'const value = isStateShared ? await', 'const value = !isStateShared ? await'],
  ]),
  ...mutationsOf('gateway/gateway.ts', 'gateway/incidents.test.ts', [
    [
      'S20',
      'const facts = { dialect: route.dialect, action: route.action }',
      'const facts = { dialect: route.dialect, action: route.action, clientRequestId: url.href }',
    ],
  ]),
  ...mutationsOf('wire/urls.ts', 'dialects/endpoints.test.ts', [
    ['S6', "segment === '.' || segment === '..'", "segment === '.'"],
  ]),
  ...mutationsOf('gateway/responses/response-store.ts', 'gateway/stored-responses.test.ts', [
    ['S18', 'storage.forTenant(`${storage.tenant}/gateway/${client}`)', 'storage'],
  ]),
  ...mutationsOf('gateway/forwarded-headers.ts', 'gateway/operations.test.ts', [
    ['S24', "['anthropic', ['anthropic-beta']],", "['anthropic', ['anthropic-beta', 'x-forwarded-host']],"],
  ]),
  ...mutationsOf('gateway/metrics/prometheus-text.ts', 'gateway/operations.test.ts', [
    ['S27', ".replaceAll('\\n', '\\\\n')", ''],
  ]),
  ...mutationsOf('wire/sse.ts', 'wire/sse.test.ts', [
    ['S27', "head += `event: ${requireOneLine('event', event)}\\n`", 'head += `event: ${event}\\n`'],
  ]),
  ...mutationsOf('gateway/usage-limits.ts', 'gateway/limits.test.ts', [
    ['S28', 'if (tokens > 0 || cost > 0) await', 'if (tokens < 0 || cost < 0) await'],
  ]),
]
