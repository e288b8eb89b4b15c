// What the tests know of the hub that they are run against.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

const given = (name) => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing: go test ./e2e starts the hub and runs this`);
  return value;
};

export const url = given('E2E_URL');
export const endpoint = `${url}/graphql`;

const [program, site] = [given('E2E_HUB'), given('E2E_SITE')];

// A token of the test's site, of that name.
export const makeToken = (name, role = 'operator') =>
  execFileSync(program, ['token', 'create', '--site', site, '--role', role, '--name', name], { encoding: 'utf8' }).trim();

export const revokeToken = (name) => execFileSync(program, ['token', 'revoke', name]);

// Asks the hub from beside the client under test.
export async function ask(token, query, variables) {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await answer.json();
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

export const setNote = (token, key, text) =>
  ask(token, 'mutation ($key: IssueKey!, $text: String!) { setNote(key: $key, text: $text) { text } }', { key, text });

// A second hub on the same database, which can be stopped and started at one address.
export async function another() {
  const listen = `127.0.0.1:${await freePort()}`;
  let running;

  const start = async () => {
    running = spawn(program, ['serve'], { env: { ...process.env, HUB_LISTEN: listen }, stdio: ['ignore', 'ignore', 'inherit'] });
    const exited = once(running, 'exit').then(() => { throw new Error('the second hub ended before it was ready'); });
    await Promise.race([exited, ready(`http://${listen}/readyz`)]);
    exited.catch(() => {}); // from here on it may
  };
  const stop = async () => {
    const exited = once(running, 'exit');
    running.kill('SIGTERM');
    await exited;
  };

  await start();
  return { url: `http://${listen}`, start, stop };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

// Asks until it is answered: nothing else tells from outside.
async function ready(address) {
  for (;;) {
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok) return;
    await new Promise(setImmediate);
  }
}
