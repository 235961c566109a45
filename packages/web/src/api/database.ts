/** What this origin keeps, page and service worker alike: IndexedDB belongs to the origin, port included. */
const stores = ["logins", "answers", "questions"] as const;

type StoreName = (typeof stores)[number];

export async function inStore<Answer = unknown>(
  store: StoreName,
  mode: IDBTransactionMode,
  what: (store: IDBObjectStore) => IDBRequest,
): Promise<Answer> {
  const database = await opened();
  try {
    return (await answerOf(what(database.transaction(store, mode).objectStore(store)))) as Answer;
  } finally {
    database.close();
  }
}

/** Nothing is left of what this browser was shown, or was going to answer. */
export async function forgetAll(): Promise<void> {
  for (const store of stores) await inStore(store, "readwrite", (one) => one.clear());
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open("paneward", 2);
  request.onupgradeneeded = () => {
    const { result } = request;
    for (const name of stores) if (!result.objectStoreNames.contains(name)) result.createObjectStore(name);
  };
  return answerOf(request);
}

function answerOf<Answer>(request: IDBRequest<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
