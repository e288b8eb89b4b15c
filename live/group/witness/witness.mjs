// Subscribes to a hub with npm's graphql-ws, as a page would.
//
//   HUB_TOKEN=hub_... node witness.mjs ws://127.0.0.1:8080/graphql resume|refused|refused-for-good
//
// resume prints the cursor of each change, and has its connection cut after every third.
// refused prints how many connections were tried, and the code of the close that ended it.
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const [url, what] = process.argv.slice(2);
const token = process.env.HUB_TOKEN;

let attempts = 0;
class Counted extends WebSocket {
  constructor(...args) {
    super(...args);
    attempts++;
  }
}

const client = createClient({
  url,
  webSocketImpl: Counted,
  connectionParams: { authorization: `Bearer ${token}` },
  retryWait: async () => {}, // at once: whoever may storm shall
  ...(what === 'resume' && { retryAttempts: 1000 }),
  // What a page does that goes on trying for as long as it is open.
  ...(what === 'refused-for-good' && { retryAttempts: Infinity, shouldRetry: (event) => event?.code !== 4403 }),
});

const variables = { after: process.env.HUB_AFTER };
let seen = 0;

client.subscribe(
  { query: 'subscription($after: Cursor) { commandChanged(after: $after) { cursor } }', variables },
  {
    next({ data, errors }) {
      if (errors) {
        console.log(JSON.stringify(errors));
        process.exit(1);
      }
      // The client sends the variables as they are when it comes back.
      variables.after = data.commandChanged.cursor;
      console.log(variables.after);
      if (++seen % 3 === 0) client.terminate();
    },
    error(event) {
      console.log(`${attempts} ${event.code ?? event}`);
      // A storm would not be over yet.
      setTimeout(() => {
        console.log(attempts);
        process.exit(0);
      }, 500);
    },
    complete() {},
  },
);

process.stdin.on('end', () => process.exit(0)).resume();
