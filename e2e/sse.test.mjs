// npm's graphql-sse is who the hub's streams of events are for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from 'graphql-sse';
import { cuttable } from './cuttable.mjs';
import { endpoint, makeToken, setNote, url } from './hub.mjs';

const token = makeToken('sse');
const authorization = `Bearer ${token}`;
const notes = 'subscription { noteChanged { cursor note { text } } }';

async function all(results) {
  const seen = [];
  for await (const result of results) seen.push(result);
  return seen;
}

test('a query and a mutation have one result each', async () => {
  const client = createClient({ url: endpoint, headers: { authorization }, retryAttempts: 0 });
  assert.deepEqual(await all(client.iterate({ query: '{ viewer { name } }' })), [{ data: { viewer: { name: 'sse' } } }]);
  assert.deepEqual(await all(client.iterate({ query: 'mutation { setNote(key: "A-1", text: "a") { text } }' })), [
    { data: { setNote: { text: 'a' } } },
  ]);
  client.dispose();
});

test('a wrong operation is a result that says so', async () => {
  const client = createClient({ url: endpoint, headers: { authorization }, retryAttempts: 0 });
  const [result, ...more] = await all(client.iterate({ query: 'subscription { nope }' }));
  assert.equal(result.errors[0].extensions.code, 'BAD_REQUEST');
  assert.deepEqual(more, []);
  client.dispose();
});

test('after each cut the client takes up at its last event: every change once, in order', async () => {
  const way = await cuttable(url);
  let last;
  const client = createClient({
    url: `${way.url}/graphql`,
    // Asked for anew at each connection.
    headers: () => (last ? { authorization, 'last-event-id': last } : { authorization }),
    retry: () => new Promise((resolve) => setTimeout(resolve, 10)),
  });
  const changes = client.iterate({ query: notes });
  const next = async () => {
    const { value } = await changes.next();
    last = value.data.noteChanged.cursor;
    return value.data.noteChanged.note.text;
  };

  // The first one tells that the subscription has begun; how many it takes is not known before.
  const first = next();
  let begun = false;
  void first.then(() => (begun = true));
  for (let i = 0; !begun; i++) await setNote(token, 'A-2', `before ${i}`);
  await first;
  await setNote(token, 'A-2', 'begun');
  while ((await next()) !== 'begun');

  const wanted = [];
  const seen = [];
  for (let i = 0; i < 12; i++) {
    wanted.push(`change ${i}`);
    if (i % 3 === 1) way.cut();
    await setNote(token, 'A-2', wanted[i]);
    if (i % 2 === 1) seen.push(await next(), await next());
  }
  assert.deepEqual(seen, wanted);
  assert.ok(way.taken() > 4, `there were ${way.taken()} connections`);

  await changes.return();
  client.dispose();
  way.close();
});

test('a position that is none any more ends the subscription with its reason', async () => {
  const client = createClient({
    url: endpoint,
    headers: { authorization, 'last-event-id': Buffer.alloc(16, 1).toString('base64url') },
  });
  const [result, ...more] = await all(client.iterate({ query: notes }));
  assert.equal(result.errors[0].extensions.code, 'CURSOR_EXPIRED');
  assert.deepEqual(more, []);
  client.dispose();
});

test('a refused login is not tried for ever', async () => {
  const way = await cuttable(url);
  let tries = 0;
  const client = createClient({
    url: () => {
      tries++;
      return `${way.url}/graphql`;
    },
    headers: { authorization: `Bearer ${token.slice(0, -1)}` },
    retry: async () => {},
  });
  await assert.rejects(all(client.iterate({ query: notes })), (err) => err.response.status === 401);
  assert.ok(tries <= 6, `it was tried ${tries} times`); // the client's own limit: once, and five times more
  client.dispose();
  way.close();
});
