// The built dashboard over made-up data, with the headers of the real server: for screenshots and browser checks.
//   node dev/mock-server.mjs [--port 4600] [--mount /ops/queues/] [--mode data|empty|failing|full|failed-store|closed] [--role viewer|operator|admin] [--skew=-420000]
// A POST to <mount>__mock?mode=…&role=… changes mode and role while it runs.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { parseArgs } from 'node:util';
import { MockDesk } from './mock-acts.mjs';
import { answer } from './mock-answers.mjs';
import { Refusal } from './mock-refusal.mjs';
import { MockWorld } from './mock-world.mjs';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'self'; form-action 'none'; frame-ancestors 'none'";
const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const DIST = join(import.meta.dirname, '../dist');
const TICK_MS = 1_000;

const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '4600' },
    mount: { type: 'string', default: '/' },
    mode: { type: 'string', default: 'data' },
    role: { type: 'string', default: 'admin' },
    skew: { type: 'string', default: '0' },
  },
});
const now = () => Date.now() + Number(options.skew);
const state = { mode: options.mode, role: options.role, ...begin() };
setInterval(() => {
  state.world.tick(now());
  state.desk.tick(state.world, now());
}, TICK_MS).unref();

function begin() {
  const world = new MockWorld(now());
  const desk = new MockDesk();
  for (const entry of world.pastActs(now())) desk.note(entry, { role: 'admin', nowMs: entry.atMs });
  return { world, desk };
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url, 'http://mock');
  if (!url.pathname.startsWith(options.mount)) return send(response, 404, 'text/plain', 'Not under the mount.');
  const path = url.pathname.slice(options.mount.length);
  if (path === '__mock') return change(url.searchParams, response);
  if (path === 'api/v1/events') return events(request, response);
  if (path.startsWith('api/v1/')) return api(request, path.slice('api/v1/'.length), url.searchParams, response);
  return files(path, response);
});
server.listen(Number(options.port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}${options.mount}`);
});

function change(parameters, response) {
  for (const name of ['mode', 'role']) state[name] = parameters.get(name) ?? state[name];
  if (parameters.has('fresh')) Object.assign(state, begin());
  send(response, 200, 'text/plain', `${state.mode} ${state.role}`);
}

async function api(request, path, query, response) {
  const nowMs = now();
  try {
    const body = request.method === 'POST' ? JSON.parse(await textOf(request)) : undefined;
    if (request.method === 'POST' && request.headers['x-holdfast-request'] !== '1') {
      throw new Refusal(403, 'CROSS_SITE_REQUEST', 'Forbidden', 'The request did not come from the dashboard.');
    }
    const segments = path.split('/').map(decodeURIComponent);
    const body200 = answer(request.method, segments, query, body, { ...state, nowMs });
    send(response, 200, 'application/json', JSON.stringify({ ...body200, serverTimeMs: nowMs }));
  } catch (error) {
    const { status = 500, code = 'INTERNAL', title = 'Internal Server Error' } = error;
    const problem = {
      type: 'about:blank',
      title,
      status,
      detail: error.message,
      code,
      requestId: randomUUID().slice(0, 8),
    };
    send(response, status, 'application/problem+json', JSON.stringify(problem));
  }
}

/** Server-sent events as the real server sends them: figures at most once a second, operations as they move. */
function events(request, response) {
  if (state.mode === 'failing' || state.mode === 'closed') return send(response, 503, 'text/plain', 'Not now.');
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' });
  let id = Number(request.headers['last-event-id'] ?? 0);
  const tell = (event, data) => {
    id += 1;
    response.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify({ ...data, serverTimeMs: now() })}\n\n`);
  };
  tell('hello', { resumed: request.headers['last-event-id'] !== undefined });
  const timer = setInterval(() => {
    const whole = { ...state, nowMs: now() };
    tell('counts', answer('GET', ['overview'], new URLSearchParams(), undefined, whole));
    for (const operation of state.desk.shownOperations()) {
      if (now() - operation.updatedAtMs < 2 * TICK_MS) tell('operation', { operation });
    }
  }, TICK_MS);
  response.once('close', () => clearInterval(timer));
}

async function textOf(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

async function files(path, response) {
  const file = normalize(join(DIST, path));
  const type = TYPES[extname(file)];
  if (type === undefined || !file.startsWith(DIST)) {
    const index = await readFile(join(DIST, 'index.html'), 'utf8').catch(() => '<head>Build the dashboard first.');
    return send(response, 200, 'text/html', index.replace('<head>', `<head>\n    <base href="${options.mount}">`));
  }
  const bytes = await readFile(file).catch(() => undefined);
  return bytes === undefined ? send(response, 404, 'text/plain', 'No such file.') : send(response, 200, type, bytes);
}

function send(response, status, type, body) {
  response.writeHead(status, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  });
  response.end(body);
}
