// What the page itself says. GraphiQL's own words are English, and so is what the hub answers.
export type Language = 'en' | 'ru';

const english = {
  title: 'GraphiQL · sdlc-hub',
  heading: 'Log in to GraphiQL',
  token: 'Token',
  hint: 'Made by “hub token create”, or printed at the first start. It stays in this tab until you close it or forget the token.',
  logIn: 'Log in',
  checking: 'Checking…',
  empty: 'Enter a token.',
  refused: 'The hub does not accept this token:',
  tooMany: 'Too many attempts; try again later.',
  away: 'The hub does not answer; try again.',
  ended: 'You are logged out:',
  forget: 'Forget token',
  loggedIn: 'Logged in:',
  loading: 'Loading the editor…',
  switchLanguage: 'Русский',
};

const russian: typeof english = {
  title: 'GraphiQL · sdlc-hub',
  heading: 'Вход в GraphiQL',
  token: 'Токен',
  hint: 'Его выдаёт «hub token create» или первый запуск. Он хранится в этой вкладке, пока вы её не закроете или не забудете токен.',
  logIn: 'Войти',
  checking: 'Проверяем…',
  empty: 'Введите токен.',
  refused: 'Хаб не принимает этот токен:',
  tooMany: 'Слишком много попыток, попробуйте позже.',
  away: 'Хаб не отвечает, попробуйте ещё раз.',
  ended: 'Вход завершён:',
  forget: 'Забыть токен',
  loggedIn: 'Вход выполнен:',
  loading: 'Загружаем редактор…',
  switchLanguage: 'English',
};

export const words: Record<Language, typeof english> = { en: english, ru: russian };

export type Word = keyof typeof english;

const kept = 'sdlc-hub:language';

export function firstLanguage(): Language {
  const chosen = localStorage.getItem(kept);
  if (chosen === 'en' || chosen === 'ru') return chosen;
  return navigator.language.toLowerCase().startsWith('ru') ? 'ru' : 'en';
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(kept, language);
}
