// Loaded into the attacked daemon by `--import`: on SIGUSR2 it frees all memory that it no longer uses, so that what is
// measured then is what it keeps.
const collect = (globalThis as { readonly gc?: () => void }).gc;
if (!collect) throw new Error("this needs --expose-gc");
process.on("SIGUSR2", () => collect());
