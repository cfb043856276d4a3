@testable import AuthCore
@testable import AuthCoreMigration
import Foundation

/// Files as Firebase's tool writes them, about people who do not exist.
enum FirebaseSample {
    /// One user with everything that a file can say.
    static let everything = #"""
        {
          "localId": "ann-1",
          "email": "Ann@Example.com",
          "emailVerified": true,
          "passwordHash": "aGFzaCBvZiBubyBwYXNzd29yZA==",
          "salt": "c2FsdA==",
          "displayName": "Ann \"{[,]}\" Archer",
          "photoUrl": "https://example.com/ann.jpg",
          "lastSignedInAt": "1766620800000",
          "createdAt": "1700000000123",
          "phoneNumber": "+15550001234",
          "disabled": false,
          "customAttributes": "{\"role\":\"captain\",\"level\":3}",
          "providerUserInfo": [
            {
              "providerId": "google.com",
              "rawId": "10001",
              "email": "ann@gmail.com",
              "displayName": "Ann A.",
              "photoUrl": "https://example.com/google.jpg"
            },
            { "providerId": "github.com", "rawId": "77", "screenName": "annie" },
            { "providerId": "phone", "rawId": "+15550001234" },
            { "providerId": "password", "email": "ann@example.com" }
          ],
          "mfaInfo": [
            {
              "mfaEnrollmentId": "0f1e2d3c",
              "displayName": "work phone",
              "phoneInfo": "+15550009999",
              "enrolledAt": "2024-05-06T07:08:09.123456Z"
            }
          ]
        }
        """#

    static func file(_ users: [String]) -> [UInt8] {
        Array("{\"users\": [\n\(users.joined(separator: ",\n"))\n]}\n".utf8)
    }

    static func user(_ id: String, _ members: String...) -> String {
        "{" + (["\"localId\":\"\(id)\""] + members).joined(separator: ",") + "}"
    }

    static let verified = #""email":"ann@example.com","emailVerified":true"#
    static let unverified = #""email":"ann@example.com","emailVerified":false"#
    static let password = #""passwordHash":"aGFzaA==","salt":"c2FsdA==""#

    /// An entry for the simulated provider's name of a person.
    static func identity(_ provider: ProviderID, _ subject: String) -> String {
        "\"providerUserInfo\":[{\"providerId\":\"\(provider)\",\"rawId\":\"\(subject)\"}]"
    }
}
