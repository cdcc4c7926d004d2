/** What is used of a package that carries no types. */
declare module 'fs-native-extensions' {
  const locks: {
    /** A lock of the whole file by its open description, exclusive unless `shared`. `false` when somebody else's excludes it. */
    tryLock(descriptor: number, options?: { readonly shared: boolean }): boolean;
  };
  export default locks;
}
