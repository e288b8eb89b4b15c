// The token is this tab's alone, and gone with it.
const kept = 'sdlc-hub:token';

export interface Viewer {
  name: string;
  role: string;
  site: string;
}

// Why there is no login: one of the page's words, and what the hub itself said.
export interface Refusal {
  word: 'empty' | 'malformed' | 'refused' | 'tooMany' | 'away' | 'ended';
  reason?: string;
}

export function keptToken(): string | null {
  return sessionStorage.getItem(kept);
}

export function keepToken(token: string): void {
  sessionStorage.setItem(kept, token);
}

export function forgetToken(): void {
  sessionStorage.removeItem(kept);
}

// People paste what they were given, often the whole header.
export function tidied(pasted: string): string {
  return pasted.trim().replace(/^Bearer\s+/i, '');
}

// What is no whole token need not be asked about; and one with letters of another alphabet cannot be, since no header
// can hold them.
export function whole(token: string): boolean {
  return /^hub_[0-9A-Za-z]{49}$/.test(token);
}

// Who the token speaks for. Throws a Refusal.
export async function logIn(token: string): Promise<Viewer> {
  let answer: Response;
  let body: { data?: { viewer: Viewer | null }; errors?: { message: string }[] };

  try {
    answer = await fetch('/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: '{ viewer { name role site } }' }),
    });
    body = await answer.json();
  } catch {
    throw { word: 'away' } satisfies Refusal;
  }

  const reason = body.errors?.[0]?.message;
  if (body.data?.viewer) return body.data.viewer;
  if (answer.status === 429) throw { word: 'tooMany', reason } satisfies Refusal;
  if (answer.status === 401) throw { word: 'refused', reason } satisfies Refusal;
  throw { word: 'away', reason } satisfies Refusal;
}
