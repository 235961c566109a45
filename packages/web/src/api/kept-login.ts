/** What this browser keeps of a login. The private key can be used by pages of this origin, and read by none. */
export interface KeptLogin {
  readonly login: string;
  readonly privateKey: CryptoKey;
  /** The fingerprint of the daemon that it is a login to. */
  readonly server: string;
}

// IndexedDB: it holds keys that cannot be read, and belongs to the origin, port included; a cookie goes to every port.
const store = "logins";
const only = "this browser";

export async function keptLogin(): Promise<KeptLogin | undefined> {
  return (await ask("readonly", (logins) => logins.get(only))) as KeptLogin | undefined;
}

export async function keepLogin(login: KeptLogin): Promise<void> {
  await ask("readwrite", (logins) => logins.put(login, only));
}

export async function forgetLogin(): Promise<void> {
  await ask("readwrite", (logins) => logins.delete(only));
}

async function ask(mode: IDBTransactionMode, what: (logins: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const database = await opened();
  try {
    return await answerOf(what(database.transaction(store, mode).objectStore(store)));
  } finally {
    database.close();
  }
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open("paneward", 1);
  request.onupgradeneeded = () => request.result.createObjectStore(store);
  return answerOf(request);
}

function answerOf<Answer>(request: IDBRequest<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
