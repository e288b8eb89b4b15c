// GraphiQL as a person uses it, in Debian's Chromium.
import assert from 'node:assert/strict';
import { readFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, beforeEach, test } from 'node:test';
import { chromium } from 'playwright-core';
import { another, ask, makeToken, revokeToken, setNote, url } from './hub.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pictures = new URL('../.build/e2e/', import.meta.url).pathname;
mkdirSync(pictures, { recursive: true });

const token = makeToken('graphiql');

let browser;
before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.E2E_CHROMIUM,
    args: process.getuid() === 0 ? ['--no-sandbox'] : [], // which Chromium refuses root
  });
});
after(() => browser.close());

// What no page may do, noted from its first moment on.
let wrong;
beforeEach(() => (wrong = []));

async function open({ locale = 'en-GB', colorScheme = 'light', at = url } = {}) {
  const context = await browser.newContext({ locale, colorScheme, viewport: { width: 1400, height: 850 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('request', (request) => {
    if (!request.url().startsWith(at) && !request.url().startsWith('data:')) wrong.push(`asked ${request.url()}`);
  });
  page.on('pageerror', (error) => wrong.push(`threw ${error}`));
  page.on('console', (message) => {
    // The browser's own word for an answer of 401, which the page tells in its own.
    if (/status of 401/.test(message.text()) && message.location().url === `${at}/graphql`) return;
    if (['error', 'warning'].includes(message.type())) wrong.push(`said ${message.text()}`);
  });
  await context.exposeFunction('violated', (what) => wrong.push(`violated ${what}`));
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (event) => window.violated(`${event.violatedDirective} ${event.blockedURI}`)),
  );
  await page.goto(`${at}/graphiql`);
  return page;
}

async function logIn(page, as = token) {
  await page.getByLabel('Token').fill(as);
  await page.keyboard.press('Enter');
  await page.locator('.graphiql-query-editor .view-line').first().waitFor();
}

// Puts the operation into the editor, as pasting does, and runs it.
async function run(page, operation) {
  await page.locator('.graphiql-query-editor .view-lines').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(operation);
  await page.keyboard.press('Control+Enter');
}

// Waits until the answer shows the text.
async function answers(page, text) {
  await page.waitForFunction(
    (wanted) => document.querySelector('.graphiql-response')?.innerText.replaceAll('\u00a0', ' ').includes(wanted),
    text,
  );
}

async function accessible(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`), []);
}

test('a query, a mutation and a subscription, with nothing from elsewhere', async () => {
  const page = await open();
  await page.screenshot({ path: `${pictures}login.png` });
  await logIn(page);
  await page.getByText('Logged in: graphiql · Role: OPERATOR · Site: ').waitFor();

  await run(page, 'query { viewer { name role } }');
  await answers(page, '"role": "OPERATOR"');

  await run(page, 'mutation { setNote(key: "A-3", text: "from the page") { text } }');
  await answers(page, '"text": "from the page"');
  assert.deepEqual(await ask(token, '{ note(key: "A-3") { text author } }'), {
    note: { text: 'from the page', author: 'graphiql' },
  });

  const connected = page.waitForEvent('websocket');
  await run(page, 'subscription { noteChanged { key note { text author } } }');
  const socket = await connected;
  // Nothing tells when the subscription has begun, but that a change comes.
  let begun = false;
  const first = answers(page, '"text": "change ').then(() => (begun = true));
  for (let i = 0; !begun; i++) await setNote(token, 'A-3', `change ${i}`);
  await first;
  await setNote(token, 'A-3', 'and once more');
  await answers(page, '"text": "and once more"');
  await answers(page, '"text": "change '); // what came before is there still
  await page.screenshot({ path: `${pictures}subscription.png` });

  const closed = socket.isClosed() || socket.waitForEvent('close');
  await page.getByRole('button', { name: /Stop/ }).click();
  await closed;
  assert.deepEqual(wrong, []);
});

test('the schema completes and checks what is typed; history and explorer are there', async () => {
  const page = await open();
  await logIn(page);

  await run(page, 'query Typo { viewer { name nope } }');
  await answers(page, 'BAD_REQUEST');
  await page.locator('.graphiql-query-editor .squiggly-error').waitFor();

  // The history takes the name from the tab, which has it a moment after the typing.
  await page.locator('.graphiql-tab').getByText('Typo').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Show History' }).click();
  await page.locator('.graphiql-history').getByText('Typo').first().waitFor();

  await page.getByRole('button', { name: /Explorer/ }).last().click();
  await page.locator('.graphiql-explorer-root, .docExplorerWrap').getByText('issues', { exact: true }).click();
  await page.waitForFunction(() => document.querySelector('.graphiql-query-editor').innerText.includes('issues'));
  await page.screenshot({ path: `${pictures}explorer.png` });

  await page.getByRole('button', { name: /Documentation Explorer/ }).click();
  await page.locator('.graphiql-doc-explorer').getByText('Subscription', { exact: true }).click();
  await page.locator('.graphiql-doc-explorer').getByText('noteChanged').waitFor();
  assert.deepEqual(wrong, []);
});

test('a refused token is told so, in the language of the browser or the chosen one', async () => {
  const page = await open({ locale: 'ru-RU', colorScheme: 'dark' });
  assert.equal(await page.locator('html').getAttribute('lang'), 'ru');

  await page.getByRole('button', { name: 'Войти' }).click();
  await page.getByRole('alert').getByText('Введите токен.').waitFor();

  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  for (const none of [token.slice(0, -1), token.replace(/.$/, 'ы')]) {
    await page.getByLabel('Токен').fill('');
    await page.getByRole('button', { name: 'Войти' }).click();
    await page.getByRole('alert').getByText('Введите токен.').waitFor();
    await page.getByLabel('Токен').fill(none);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Это не целый токен').waitFor();
  }
  assert.deepEqual(asked, []);

  await page.getByLabel('Токен').fill(`hub_${'0'.repeat(49)}`);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Хаб не принимает этот токен:').waitFor();
  await page.screenshot({ path: `${pictures}refused.png` });
  await accessible(page);

  await page.getByRole('button', { name: 'English' }).click();
  await page.getByRole('alert').getByText('The hub does not accept this token:').waitFor();
  assert.equal(await page.locator('.graphiql-container').count(), 0);
  assert.deepEqual(wrong, []);
});

test('the form works by keyboard alone and passes axe', async () => {
  const page = await open();
  await accessible(page);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'token');
  await page.keyboard.insertText(` Bearer ${token}\n`); // pasted with what stood around it
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.getByText('Logged in: graphiql').waitFor();
  assert.deepEqual(wrong, []);
});

test('the token stays in its tab, over a reload, until it is forgotten', async () => {
  const page = await open();
  await logIn(page);
  await page.reload();
  await page.getByText('Logged in: graphiql').waitFor();
  assert.equal(await page.evaluate((secret) => JSON.stringify({ ...localStorage }).includes(secret), token), false);

  const other = await page.context().newPage();
  await other.goto(`${url}/graphiql`);
  await other.getByLabel('Token').waitFor();

  await page.getByRole('button', { name: 'Forget token' }).click();
  await page.getByLabel('Token').waitFor();
  assert.equal(await page.evaluate((secret) => JSON.stringify({ ...sessionStorage }).includes(secret), token), false);
  await page.reload();
  await page.getByLabel('Token').waitFor();
  assert.deepEqual(wrong, []);
});

test('a token that ends logs out, with the reason', async () => {
  const page = await open();
  await page.getByLabel('Token').fill(makeToken('brief'));
  await page.keyboard.press('Enter');
  await page.locator('.graphiql-query-editor .view-line').first().waitFor();
  await run(page, 'subscription { queueChanged { queue { counts { total } } } }');
  await answers(page, '"total"');

  revokeToken('brief');
  await page.getByRole('alert').getByText('You are logged out:').waitFor();
  await page.getByText('this token has been revoked').waitFor();
  await page.getByLabel('Token').waitFor();
  assert.deepEqual(wrong, []);
});

test('only the newest answers of a subscription are kept, and it says of how many', async () => {
  const page = await open();
  await logIn(page);
  const { cursor } = (await ask(token, '{ queue { cursor } }')).queue;
  for (let i = 1; i <= 103; i++) await setNote(token, 'A-4', `text ${i}`);
  await run(page, `subscription { noteChanged(after: "${cursor}", keys: ["A-4"]) { note { text } } }`);
  await answers(page, '"text": "text 103"');

  await page.locator('.graphiql-response .view-lines').click();
  await page.keyboard.press('Control+Home');
  await answers(page, '"earlierNotShown": 3');
  await answers(page, '"text": "text 4"');
  assert.deepEqual(wrong, []);
});

test('a hub that goes away says so, and Run subscribes again', async () => {
  const hub = await another();
  const page = await open({ at: hub.url });
  await logIn(page);
  await run(page, 'subscription { queueChanged { queue { counts { total } } } }');
  await answers(page, '"total"');

  assert.deepEqual(wrong, []);

  await hub.stop();
  await answers(page, 'The hub went away.'); // the rest may stand on the next line
  await answers(page, '"total"');
  await page.screenshot({ path: `${pictures}away.png` });

  await hub.start();
  await page.getByRole('button', { name: /Execute/ }).click();
  await page.getByRole('button', { name: /Stop/ }).waitFor();
  await answers(page, '"total"');
  await hub.stop();

  // What the page wants of a hub that is away does not come, such as the editor's workers, and the browser says so.
  assert.deepEqual(wrong.filter((what) => !/^(said|threw) /.test(what)), []);
});

test('an agent finds what an agent may run, and the address may end with a slash', async () => {
  const page = await open();
  await page.goto(`${url}/graphiql/`);
  assert.equal(page.url(), `${url}/graphiql`);
  await logIn(page, makeToken('a-1', 'agent'));
  await page.getByText('Role: AGENT').waitFor();

  const editor = page.locator('.graphiql-query-editor');
  await editor.getByText('Viewer').first().waitFor();
  await editor.getByText('Claim').first().waitFor();

  await page.getByRole('button', { name: /Execute/ }).click();
  await page.getByRole('menuitem', { name: 'Claim' }).click();
  await answers(page, '"idleReason": "EMPTY"');
  await page.getByRole('button', { name: /Execute/ }).click();
  await page.getByRole('menuitem', { name: 'Viewer' }).click();
  await answers(page, '"role": "AGENT"');
  assert.deepEqual(wrong, []);
});
