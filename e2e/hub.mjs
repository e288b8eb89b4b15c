// What the tests know of the hub that they are run against.
import { execFileSync } from 'node:child_process';

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
