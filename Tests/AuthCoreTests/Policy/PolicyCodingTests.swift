import Foundation
import XCTest

@testable import AuthCore

/// A policy is read from a file as it was written, and a file with a mistake is refused.
final class PolicyCodingTests: LimitedTestCase {
    private let presets = ["firebase": AuthPolicy.firebase, "standard": .standard]

    func testAMemberOfAPolicyHasANameAndNoNumber() {
        let name = Knob<AuthPolicy>.Name(stringValue: "disclosure")
        XCTAssertEqual(name.stringValue, "disclosure")
        XCTAssertNil(name.intValue)
        XCTAssertNil(Knob<AuthPolicy>.Name(intValue: 7))
    }

    func testThePresetsAreReadAsTheyWereWritten() throws {
        for (name, preset) in presets {
            let written = try Self.object(preset)
            let read = try Self.policy(written)
            XCTAssertEqual(try Self.object(read), written, name)
            XCTAssertEqual(Self.words(read), Self.words(preset), name)
        }
    }

    func testEveryChoiceIsAMember() throws {
        var policy = AuthPolicy.standard
        policy.limits = AuthPolicy.AttemptLimits()
        func check(_ value: Any, _ object: ClaimValue?, _ path: String) {
            let mirror = Mirror(reflecting: value)
            if mirror.displayStyle == .optional {
                if let some = mirror.children.first { check(some.value, object, path) }
            } else if mirror.displayStyle == .struct, let object = object?.objectValue {
                let left = ["verifiedProviders"]
                let names = mirror.children.compactMap(\.label).filter { !left.contains($0) }
                XCTAssertEqual(object.keys.sorted(), names.sorted(), path)
                for child in mirror.children {
                    check(child.value, object[child.label ?? ""], "\(path).\(child.label ?? "")")
                }
            }
        }
        check(policy, .object(try Self.object(policy)), "policy")
        check(AuthPolicy.AddressAuthorities.wellKnown, try Self.object(policy)["addressTrust"], "addressTrust")
    }

    func testEachChoiceIsReadByItself() throws {
        let (firebase, standard) = (try Self.object(AuthPolicy.firebase), try Self.object(AuthPolicy.standard))
        for name in standard.keys {
            var mixed = standard
            mixed[name] = firebase[name]
            XCTAssertEqual(try Self.object(try Self.policy(mixed)), mixed, name)
        }
        let variants = Self.variants(of: .object(standard)).compactMap(\.objectValue)
        for changed in variants { XCTAssertEqual(try Self.object(try Self.policy(changed)), changed) }
        XCTAssertGreaterThan(variants.count, 40, "too few members were changed")
    }

    func testAMistakeIsRefusedByName() throws {
        func refusal(_ change: (inout [String: ClaimValue]) -> Void) throws -> String {
            var object = try Self.object(AuthPolicy.standard)
            change(&object)
            do {
                _ = try Self.policy(object)
                XCTFail("a policy with a mistake is read")
                return ""
            } catch {
                return "\(error)"
            }
        }
        func inside(_ part: String, _ name: String, _ value: ClaimValue?) throws -> String {
            try refusal {
                var object = $0[part]?.objectValue ?? [:]
                object[name] = value
                $0[part] = .object(object)
            }
        }
        let mistakes: [(String, [String])] = [
            (try refusal { $0["senority"] = 5 }, ["senority", "no such member"]),
            (try refusal { $0["seniority"] = nil }, ["seniority"]),
            (try refusal { $0["seniority"] = -1 }, ["seniority", "a duration is a number of seconds"]),
            (try refusal { $0["seniority"] = "7 days" }, ["seniority"]),
            (try refusal { $0["liveMailCodes"] = -1 }, ["liveMailCodes", "a count is a whole number"]),
            (try refusal { $0["liveMailCodes"] = 1.5 }, ["liveMailCodes", "a count is a whole number"]),
            (try refusal { $0["factorLimit"] = -1 }, ["factorLimit", "a count is a whole number"]),
            (try refusal { $0["joining"] = "always" }, ["joining", "always"]),
            (try refusal { $0["addressTrust"] = "all" }, ["addressTrust", "all is no address trust"]),
            (try refusal { $0["revokesSessionsOn"] = ["unlinking"] }, ["revokesSessionsOn", "unlinking"]),
            (try inside("lifetimes", "idToken", nil), ["lifetimes", "idToken"]),
            (try inside("lifetimes", "idTokens", 3), ["lifetimes", "idTokens", "no such member"]),
            (try inside("recency", "interval", -1), ["recency", "interval", "a duration is a number of seconds"]),
            (try inside("limits", "halfLife", -1), ["limits", "halfLife", "a duration is a number of seconds"]),
            (try inside("passwordRule", "isDenied", true), ["passwordRule", "isDenied", "no such member"]),
        ]
        for (text, words) in mistakes {
            for word in words { XCTAssertTrue(text.contains(word), "“\(text)” does not name \(word)") }
        }
    }

    func testALifetimeBeyondAllTimeIsWrittenAsTheLongestOne() throws {
        var policy = AuthPolicy.standard
        policy.lifetimes.idToken = .seconds(1e20)
        let read = try JSONDecoder().decode(AuthPolicy.self, from: JSONEncoder().encode(policy))
        XCTAssertEqual(read.lifetimes.idToken, .seconds(17_280_000_000_000), "the time between the ends of a timestamp")
    }

    func testACountBeyondAllCountsIsWrittenAsTheGreatestOne() throws {
        var policy = AuthPolicy.standard
        (policy.liveMailCodes, policy.factorLimit, policy.sessions.perAccount) = (.max, -1, .max)
        let read = try JSONDecoder().decode(AuthPolicy.self, from: JSONEncoder().encode(policy))
        XCTAssertEqual(read.liveMailCodes, 1_000_000_000_000_000)
        XCTAssertEqual(read.factorLimit, 0)
        XCTAssertEqual(read.sessions.perAccount, 1_000_000_000_000_000)
    }

    func testADurationKeepsItsFractionOfASecond() throws {
        var policy = AuthPolicy.standard
        policy.lifetimes.idToken = .milliseconds(2_250)
        let read = try Self.policy(Self.object(policy))
        XCTAssertEqual(read.lifetimes.idToken, .milliseconds(2_250), "two seconds and a quarter")
    }

    func testTheSameLinesAreWrittenEveryTime() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let first = try encoder.encode(AuthPolicy.standard)
        for _ in 0..<5 { XCTAssertEqual(try encoder.encode(try Self.policy(Self.object(.standard))), first) }
    }
}

extension PolicyCodingTests {
    private static func object(_ policy: AuthPolicy) throws -> [String: ClaimValue] {
        let bytes = Array(try JSONEncoder().encode(policy))
        return try XCTUnwrap(ClaimValue(json: bytes)?.objectValue)
    }

    private static func policy(_ object: [String: ClaimValue]) throws -> AuthPolicy {
        try JSONDecoder().decode(AuthPolicy.self, from: JSONEncoder().encode(ClaimValue.object(object)))
    }

    /// Everything that a value holds, in words that do not depend on the order of a set.
    private static func words(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        if mirror.children.isEmpty { return "\(value)" }
        let parts = mirror.children.map { "\($0.label ?? "") \(words($0.value))" }
        let isUnordered = mirror.displayStyle == .set || mirror.displayStyle == .dictionary
        return "[" + (isUnordered ? parts.sorted() : parts).joined(separator: ", ") + "]"
    }

    /// The value with one of its numbers or truth values changed, for each of them.
    private static func variants(of value: ClaimValue) -> [ClaimValue] {
        switch value {
        case .object(let object):
            object.flatMap { name, member in
                variants(of: member).map { .object(object.merging([name: $0]) { _, new in new }) }
            }
        case .bool(let value): [.bool(!value)]
        case .integer(let value): [.integer(value + 1)]
        default: []
        }
    }
}
