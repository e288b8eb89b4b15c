// Audits an endpoint against the GraphQL over HTTP specification, with every audit of graphql-http.
//
//   AUDIT_TOKEN=hub_... node audit.mjs http://127.0.0.1:8080/graphql
//
// Prints a line an audit and 'N passed, N failed' at the end; exits with 0 only where all 61 pass.
import { serverAudits } from 'graphql-http';

// A release of graphql-http that has another number is looked at before it is taken.
const expected = 61;

const [url] = process.argv.slice(2);
const token = process.env.AUDIT_TOKEN;
if (!url || !token) {
  console.error('usage: AUDIT_TOKEN=hub_... node audit.mjs URL');
  process.exit(2);
}

// The audits know nothing of logins.
const fetchFn = (target, init = {}) =>
  fetch(target, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } });

let passed = 0;
let failed = 0;
for (const audit of serverAudits({ url, fetchFn })) {
  const result = await audit.fn();
  if (result.status === 'ok') {
    passed++;
    console.log(`ok      ${audit.id} ${audit.name}`);
  } else {
    // graphql-http calls a broken SHOULD a warning and a broken MAY a notice; here all count.
    failed++;
    console.log(`FAILED  ${audit.id} ${audit.name}: ${result.reason} (${result.response?.status})`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(passed === expected && failed === 0 ? 0 : 1);
