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
  malformed: 'This is not a whole token: it is hub_ and 49 letters and digits. Copy it again.',
  refused: 'The hub does not accept this token:',
  tooMany: 'Too many attempts; try again later.',
  away: 'The hub does not answer; try again.',
  ended: 'You are logged out:',
  forget: 'Forget token',
  loggedIn: 'Logged in:',
  role: 'Role:',
  site: 'Site:',
  loading: 'Loading the editor…',
  wentAway: 'The hub went away. Once it is back, Run subscribes again.',
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
  malformed: 'Это не целый токен: в нём hub_ и 49 латинских букв и цифр. Скопируйте его ещё раз.',
  refused: 'Хаб не принимает этот токен:',
  tooMany: 'Слишком много попыток, попробуйте позже.',
  away: 'Хаб не отвечает, попробуйте ещё раз.',
  ended: 'Вход завершён:',
  forget: 'Забыть токен',
  loggedIn: 'Вход выполнен:',
  role: 'Роль:',
  site: 'Сайт:',
  loading: 'Загружаем редактор…',
  wentAway: 'Хаб отключился. Когда он вернётся, подпишитесь снова кнопкой Run.',
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
