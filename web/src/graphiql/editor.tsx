import './workers';
import { explorerPlugin } from '@graphiql/plugin-explorer';
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { useEffect, useMemo, useRef } from 'react';
import { examplesFor } from './examples';
import { createFetcher } from './fetcher';
import { Newest } from './newest';
import type { Word } from './words';
import 'graphiql/style.css';
import '@graphiql/plugin-explorer/style.css';

const plugins = [HISTORY_PLUGIN, explorerPlugin()];

interface Props {
  token: string;
  role: string;
  say: Record<Word, string>;
  onEnded: (reason: string) => void;
}

export default function Editor({ token, role, say, onEnded }: Props) {
  // Another language is no reason to end what runs.
  const spoken = useRef(say);
  useEffect(() => void (spoken.current = say), [say]);

  const { fetcher, dispose } = useMemo(() => createFetcher(token, onEnded, () => spoken.current.wentAway), [token, onEnded]);
  useEffect(() => dispose, [dispose]);

  // The login is the page's: a header written here would be kept where the token is not to be.
  return (
    <GraphiQL fetcher={fetcher} plugins={plugins} defaultQuery={examplesFor(role)} isHeadersEditorEnabled={false} shouldPersistHeaders={false}>
      <GraphiQL.Footer>
        <Newest />
      </GraphiQL.Footer>
    </GraphiQL>
  );
}
