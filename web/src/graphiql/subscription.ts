import type { FetcherParams, FetcherReturnType } from '@graphiql/toolkit';
import type { FormattedExecutionResult } from 'graphql';
import type { Client } from 'graphql-ws';

type Answer = FormattedExecutionResult<Record<string, unknown>, unknown>;

// What is shown of a subscription: its answers, the newest last, and why it ended.
interface Shown {
  earlierNotShown?: number;
  events?: Answer[];
  errors?: unknown;
  ended?: string;
}

interface Observer {
  next: (shown: Shown) => void;
  error: (problem: unknown) => void;
  complete: () => void;
}

const mostShown = 100;

// A hub that shuts down says so; one that is killed, or a network that breaks, does not.
const goingAway = 1001;
const abnormal = 1006;

// Runs a subscription for GraphiQL, which shows the last thing that it was given: so it is given all answers each time.
export function subscribe(sockets: Client, params: FetcherParams, wentAway: () => string): FetcherReturnType {
  const observable = {
    subscribe: (observer: Observer) => {
      let events: Answer[] = [];
      let earlierNotShown = 0;
      let frame = 0;

      const show = (end?: Shown) => {
        cancelAnimationFrame(frame);
        frame = 0;
        observer.next({ ...(earlierNotShown > 0 && { earlierNotShown }), ...(events.length > 0 && { events }), ...end });
      };

      const unsubscribe = sockets.subscribe<Record<string, unknown>>(
        { query: params.query, operationName: params.operationName, variables: params.variables },
        {
          next: (answer) => {
            events = [...events, answer];
            earlierNotShown += Math.max(0, events.length - mostShown);
            events = events.slice(-mostShown);
            // However many come at once, the page is written once.
            frame ||= requestAnimationFrame(() => show());
          },
          error: (problem) => {
            show(ending(problem, wentAway));
            observer.complete();
          },
          complete: () => {
            if (frame) show();
            observer.complete();
          },
        },
      );

      return {
        unsubscribe: () => {
          cancelAnimationFrame(frame);
          unsubscribe();
        },
      };
    },
  };
  // The type has two older forms besides, which GraphiQL does not use.
  return observable as unknown as FetcherReturnType;
}

// A subscription ends with a list of errors, with the event that closed its websocket, or with what went wrong here.
function ending(problem: unknown, wentAway: () => string): Shown {
  if (Array.isArray(problem)) return { errors: problem };
  if (problem instanceof CloseEvent) {
    if (problem.code === goingAway || problem.code === abnormal) return { ended: wentAway() };
    return { ended: `The websocket was closed (${problem.code}). ${problem.reason}`.trim() };
  }
  return { ended: problem instanceof Error ? problem.message : String(problem) };
}
