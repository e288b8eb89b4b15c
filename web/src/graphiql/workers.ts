// The editor's three workers as files of this build, so that a script of this host alone may run. GraphiQL's own set-up
// does the same, and says so in the console for each.
import EditorWorker from 'monaco-editor/esm/vs/editor/editor.worker.js?worker';
import JSONWorker from 'monaco-editor/esm/vs/language/json/json.worker.js?worker';
import GraphQLWorker from 'monaco-graphql/esm/graphql.worker.js?worker';

self.MonacoEnvironment = {
  getWorker(_id: string, label: string) {
    switch (label) {
      case 'json':
        return new JSONWorker();
      case 'graphql':
        return new GraphQLWorker();
      default:
        return new EditorWorker();
    }
  },
};
