import { pick, useGraphiQL } from '@graphiql/react';
import { useEffect } from 'react';

// Shows nothing, but keeps the newest answer of a running subscription in sight. It stands in the footer, which is
// GraphiQL's place for what wants to know of its editors.
export function Newest() {
  const { responseEditor, subscription } = useGraphiQL(pick('responseEditor', 'subscription'));

  useEffect(() => {
    if (!responseEditor || !subscription) return;
    const reveal = () => responseEditor.revealLine(responseEditor.getModel()?.getLineCount() ?? 1);
    reveal();
    const watched = responseEditor.onDidChangeModelContent(reveal);
    return () => watched.dispose();
  }, [responseEditor, subscription]);

  return null;
}
