/** What a word of the command line names, where it names a store. */
export type StorePlace = 'directory' | 'postgres' | 'mysql';

const SCHEMES: Readonly<Record<string, StorePlace>> = {
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
};

/** @returns the scheme of a URL that names no store: that is no directory of that name either */
export function storePlace(word: string): StorePlace | { readonly scheme: string } {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(word)?.[1];
  return scheme === undefined ? 'directory' : (SCHEMES[scheme.toLowerCase()] ?? { scheme });
}

/** From the colon behind the user to the last @: of a URL with a slash too few, or an unescaped @ or space in its password, too. */
const PASSWORD = /(\b[a-z][a-z0-9+.-]+:\/+[^\s:@/]*):.*@/gis;

/** A text for people, without the passwords of the URLs in it. */
export function withoutPasswords(text: string): string {
  return text.replace(PASSWORD, '$1:…@');
}
