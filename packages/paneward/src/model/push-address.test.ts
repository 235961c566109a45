import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pushAddressTrouble } from "./push-address.ts";

describe("a push address", () => {
  const good = [
    "https://fcm.googleapis.com/fcm/send/abc:def",
    "https://FCM.googleapis.com/wp/abc",
    "https://fcm.googleapis.com:443/wp/abc",
    "https://updates.push.services.mozilla.com/wpush/v2/abc",
    "https://db5p.notify.windows.com/w/?token=abc",
    "https://web.push.apple.com/abc",
  ];
  for (const endpoint of good) {
    test(`of a known service is taken: ${endpoint}`, () => assert.equal(pushAddressTrouble(endpoint, []), undefined));
  }

  const bad = [
    "http://fcm.googleapis.com/fcm/send/abc",
    "https://fcm.googleapis.com:8443/abc",
    "https://fcm.googleapis.com.evil.test/abc",
    "https://evil.test/fcm.googleapis.com",
    "https://fcm.googleapis.com@evil.test/",
    "https://user:secret@fcm.googleapis.com/",
    "https://evil.test#fcm.googleapis.com",
    "https://evil.test\\@fcm.googleapis.com/",
    "https://.push.apple.com/abc",
    "https://push.apple.com/abc",
    "https://evilpush.apple.com/abc",
    "https://127.0.0.1:7420/api/shutdown",
    "https://localhost/",
    "https://[::1]/",
    "https://169.254.169.254/latest/meta-data",
    "https://10.0.0.1/",
    "https://2130706433/",
    "https://fcm.googleapis.com./",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "",
    "nonsense",
  ];
  for (const endpoint of bad) {
    test(`of another place is refused: ${JSON.stringify(endpoint)}`, () => {
      assert.equal(typeof pushAddressTrouble(endpoint, []), "string");
    });
  }

  test("may be of a service that the user allows, with its port", () => {
    const hosts = ["push.example.org", "localhost:8443", "*.up.example.org"];
    const taken = ["https://push.example.org/a", "https://localhost:8443/a", "https://a.up.example.org/"];
    for (const endpoint of taken) assert.equal(pushAddressTrouble(endpoint, hosts), undefined, endpoint);
    const refused = [
      "https://localhost/a",
      "https://push.example.org:1/a",
      "https://up.example.org/",
      "http://localhost:8443/",
    ];
    for (const endpoint of refused) assert.equal(typeof pushAddressTrouble(endpoint, hosts), "string", endpoint);
  });
});
