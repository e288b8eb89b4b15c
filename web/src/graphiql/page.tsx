import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Login } from './login';
import { forgetToken, keepToken, keptToken, logIn, type Refusal, type Viewer } from './token';
import { firstLanguage, keepLanguage, words, type Language } from './words';

const Editor = lazy(() => import('./editor'));

interface Session {
  token: string;
  viewer: Viewer;
}

// The editor is there for who is logged in; a token that was kept is asked about first.
export function Page() {
  const [language, setLanguage] = useState<Language>(firstLanguage);
  const [session, setSession] = useState<Session | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [checking, setChecking] = useState(() => keptToken() !== null);
  const say = words[language];

  useEffect(() => {
    document.documentElement.lang = language;
    document.title = say.title;
  }, [language, say]);

  const enter = useCallback(async (token: string) => {
    setChecking(true);
    setRefusal(null);
    try {
      const viewer = await logIn(token);
      keepToken(token);
      setSession({ token, viewer });
    } catch (refused) {
      // A hub that is away for a moment is no reason to ask for the token again after it.
      if ((refused as Refusal).word === 'refused') forgetToken();
      setRefusal(refused as Refusal);
    } finally {
      setChecking(false);
    }
  }, []);

  useEffect(() => {
    const token = keptToken();
    if (token !== null) void enter(token);
  }, [enter]);

  const leave = useCallback((reason: Refusal | null) => {
    forgetToken();
    setSession(null);
    setRefusal(reason);
  }, []);

  const ended = useCallback((reason: string) => leave({ word: 'ended', reason }), [leave]);

  const otherLanguage = () => {
    const other = language === 'ru' ? 'en' : 'ru';
    keepLanguage(other);
    setLanguage(other);
  };

  return (
    <>
      <header className="bar">
        <strong>sdlc-hub</strong>
        {session && (
          <span className="who">
            {say.loggedIn} {session.viewer.name} · {say.role} {session.viewer.role} · {say.site} {session.viewer.site}
          </span>
        )}
        <span className="gap" />
        {session && (
          <button type="button" onClick={() => leave(null)}>
            {say.forget}
          </button>
        )}
        <button type="button" lang={language === 'ru' ? 'en' : 'ru'} onClick={otherLanguage}>
          {say.switchLanguage}
        </button>
      </header>
      <main>
        {session ? (
          <Suspense fallback={<p role="status">{say.loading}</p>}>
            <Editor key={session.token} token={session.token} role={session.viewer.role} say={say} onEnded={ended} />
          </Suspense>
        ) : (
          <Login say={say} refusal={refusal} checking={checking} onToken={enter} onRefusal={setRefusal} />
        )}
      </main>
    </>
  );
}
