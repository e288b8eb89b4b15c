import type { Fetcher, FetcherParams } from '@graphiql/toolkit';
import { getOperationAST, parse } from 'graphql';
import { createClient } from 'graphql-ws';
import { subscribe } from './subscription';

const forbidden = 4403;

// Asks the hub with that token: by POST, and for subscriptions by a websocket, which is open while one runs. onEnded is
// told where the token is valid no more; wentAway is what to say of a hub that left a subscription.
export function createFetcher(
  token: string,
  onEnded: (reason: string) => void,
  wentAway: () => string,
): { fetcher: Fetcher; dispose: () => void } {
  const authorization = `Bearer ${token}`;
  const sockets = createClient({
    url: '/graphql',
    connectionParams: { authorization },
    // Taken up again it would not show what happened meanwhile, and nobody would notice.
    retryAttempts: 0,
    on: {
      closed: (event) => {
        if (event instanceof CloseEvent && event.code === forbidden) onEnded(event.reason);
      },
    },
  });

  const fetcher: Fetcher = (params) => {
    const { request, isSubscription } = read(params);
    return isSubscription ? subscribe(sockets, request, wentAway) : post(authorization, request, onEnded);
  };

  return { fetcher, dispose: () => void sockets.dispose() };
}

// What GraphiQL knows of the document lags behind the typing by a moment, so it is looked at here. A document that
// cannot be read is for the hub to refuse.
function read(params: FetcherParams): { request: FetcherParams; isSubscription: boolean } {
  let document;
  try {
    document = parse(params.query);
  } catch {
    return { request: params, isSubscription: false };
  }

  const named = getOperationAST(document, params.operationName);
  const request = named ? params : { ...params, operationName: undefined };
  return { request, isSubscription: (named ?? getOperationAST(document))?.operation === 'subscription' };
}

async function post(authorization: string, params: FetcherParams, onEnded: (reason: string) => void) {
  const answer = await fetch('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: authorization },
    body: JSON.stringify(params),
  });
  const body = await answer.json();
  if (answer.status === 401) onEnded(body.errors?.[0]?.message ?? '');
  return body;
}
