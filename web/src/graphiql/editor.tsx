import './workers';
import { explorerPlugin } from '@graphiql/plugin-explorer';
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { useEffect, useMemo } from 'react';
import { createFetcher } from './fetcher';
import 'graphiql/style.css';
import '@graphiql/plugin-explorer/style.css';

const plugins = [HISTORY_PLUGIN, explorerPlugin()];

const example = `# What the hub works on now.
query Queue {
  queue {
    counts { total queued claimed done failed }
    pace { paused minPauseSeconds maxPauseSeconds }
    agents { name online }
  }
}

# Every change as it happens.
subscription Log {
  logAppended {
    __typename
    ... on CommandChange { at cause to command { id kind } }
    ... on NoteChange { at key note { text author } }
    ... on IssueChange { at issue { key status } }
    ... on PaceChange { at actor pace { paused } }
  }
}
`;

interface Props {
  token: string;
  onEnded: (reason: string) => void;
}

export default function Editor({ token, onEnded }: Props) {
  const { fetcher, dispose } = useMemo(() => createFetcher(token, onEnded), [token, onEnded]);
  useEffect(() => dispose, [dispose]);

  // The login is the page's: a header written here would be kept where the token is not to be.
  return <GraphiQL fetcher={fetcher} plugins={plugins} defaultQuery={example} isHeadersEditorEnabled={false} shouldPersistHeaders={false} />;
}
