/** What is used of a package that carries no types. */
declare module 'fs-native-extensions' {
  const locks: {
    /** An exclusive lock of the whole file by its open description. `false` when somebody else holds it. */
    tryLock(descriptor: number): boolean;
  };
  export default locks;
}
