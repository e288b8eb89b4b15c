// graphql-yoga with graphql-ws, joined as graphql-yoga's manual joins them: one change, posted, goes to all subscribers.
import { createServer } from 'node:http';
import { useServer } from 'graphql-ws/use/ws';
import { createPubSub, createSchema, createYoga } from 'graphql-yoga';
import { WebSocketServer } from 'ws';

const changes = createPubSub();

const yoga = createYoga({
  logging: false,
  schema: createSchema({
    typeDefs: /* GraphQL */ `
      scalar Time
      scalar Cursor
      enum CommandKind { ENSURE_ISSUE ENSURE_FIELDS ENSURE_STATUS ENSURE_LINK ENSURE_SPRINT ENSURE_COMMENT REFRESH }
      enum CommandStatus { QUEUED CLAIMED DONE FAILED CANCELLED SKIPPED CONFIRMED_BY_STATE }
      enum ChangeCause { SUBMITTED CLAIMED REDELIVERED PROGRESS REPORTED CONFIRMED_BY_STATE CANCELLED DEPENDENCY_FAILED DELIVERY_LIMIT LATE_REPORT }
      type Command { id: ID!, position: Int!, kind: CommandKind!, status: CommandStatus!, deliveries: Int!, claimedAt: Time }
      type CommandChange { cursor: Cursor!, at: Time!, from: CommandStatus, to: CommandStatus!, cause: ChangeCause!, actor: String, command: Command! }
      type Query { ready: Boolean! }
      type Subscription { commandChanged(after: Cursor): CommandChange! }
    `,
    resolvers: {
      Query: { ready: () => true },
      Subscription: { commandChanged: { subscribe: () => changes.subscribe('changed'), resolve: (change) => change } },
    },
  }),
});

const server = createServer((request, response) => {
  if (request.url !== '/change') {
    yoga(request, response);
    return;
  }

  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part) => { body += part; });
  request.on('end', () => {
    changes.publish('changed', JSON.parse(body));
    response.end();
  });
});

useServer(
  {
    execute: (args) => args.rootValue.execute(args),
    subscribe: (args) => args.rootValue.subscribe(args),
    onSubscribe: async (context, _id, params) => {
      const { schema, execute, subscribe, contextFactory, parse, validate } = yoga.getEnveloped({
        ...context, req: context.extra.request, socket: context.extra.socket, params,
      });
      const args = {
        schema,
        operationName: params.operationName,
        document: parse(params.query),
        variableValues: params.variables,
        contextValue: await contextFactory(),
        rootValue: { execute, subscribe },
      };
      const errors = validate(args.schema, args.document);
      return errors.length > 0 ? errors : args;
    },
  },
  new WebSocketServer({ server, path: yoga.graphqlEndpoint }),
);

server.listen(0, '127.0.0.1', () => { console.log(`http://127.0.0.1:${server.address().port}/graphql`); });
