import { useEffect, useRef, type FormEvent } from 'react';
import { tidied, whole, type Refusal } from './token';
import type { Word } from './words';

interface Props {
  say: Record<Word, string>;
  refusal: Refusal | null;
  checking: boolean;
  onToken: (token: string) => void;
  onRefusal: (refusal: Refusal) => void;
}

export function Login({ say, refusal, checking, onToken, onRefusal }: Props) {
  const field = useRef<HTMLInputElement>(null);

  // Whoever was refused corrects the token next.
  useEffect(() => {
    if (!checking) field.current?.focus();
  }, [checking, refusal]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const token = tidied(field.current?.value ?? '');
    if (token === '') onRefusal({ word: 'empty' });
    else if (!whole(token)) onRefusal({ word: 'malformed' });
    else onToken(token);
  };

  return (
    <form className="login" onSubmit={submit} aria-labelledby="heading">
      <h1 id="heading">{say.heading}</h1>
      <label htmlFor="token">{say.token}</label>
      <input
        id="token"
        ref={field}
        type="password"
        autoComplete="off"
        spellCheck={false}
        disabled={checking}
        aria-describedby="hint"
        aria-invalid={refusal !== null}
      />
      <p id="hint">{say.hint}</p>
      <button type="submit" disabled={checking}>
        {checking ? say.checking : say.logIn}
      </button>
      <div role="alert">
        {refusal && (
          <p className="refusal">
            {say[refusal.word]} {refusal.reason && <span lang="en">{refusal.reason}</span>}
          </p>
        )}
      </div>
    </form>
  );
}
