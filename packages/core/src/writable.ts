/** While it is made: an object whose optional properties are put in by name where they are known. */
export type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] };
