@testable import AuthCore
import AuthCoreTesting
import XCTest

@testable import authlab

/// The decision map is what the rules do, and every form of it says the same.
final class DecisionMapTests: LimitedTestCase {
    /// It is made once for all tests.
    private static let made = Task { try await DecisionMap() }

    private func map() async throws -> DecisionMap { try await Self.made.value }

    func testEveryCellIsWhatTheSignInDoes() async throws {
        for column in MapColumn.all {
            for row in Incoming.allCases {
                for named in [NamedPolicy.standard, .firebase] {
                    let encounter = Encounter(incoming: row, state: column.state, policy: named.policy)
                    guard encounter.isPossible else { continue }
                    let place = "\(row.title), \(column.title), \(named.name)"
                    let cell = try await encounter.play()
                    let stage = try await encounter.prepared()
                    let before = try await stage.service.accounts()
                    let device = stage.app("another device")
                    let code = await code(of: { () throws(AuthError) in
                        try await device.signIn(with: encounter.credential(on: stage, by: device))
                    })
                    let after = try await stage.service.accounts()
                    XCTAssertEqual(cell.code, code, place)
                    let isAccountNew = after.count > before.count
                    XCTAssertEqual(cell.outcome == .newAccount, isAccountNew, place)
                    guard cell.code == nil, !isAccountNew, let old = before.first,
                        let new = after.first(where: { $0.id == old.id })
                    else {
                        continue
                    }
                    let gone = old.methods.filter { method in
                        !new.methods.contains { $0.generation == method.generation }
                    }
                    XCTAssertEqual(cell.removed.count, gone.count, place)
                    let hasMore = new.methods.count > old.methods.count - gone.count
                    XCTAssertEqual(cell.outcome == .joins || cell.outcome == .adopts, hasMore, place)
                }
            }
        }
    }

    func testTheMapShowsWhatIsKnownOfThePresets() async throws {
        let map = try await map()
        func words(_ row: Incoming, _ column: String) -> [String] {
            map.columns.first { $0.title == column }.map { map[row, $0].map(\.word) } ?? []
        }
        XCTAssertEqual(words(.authoritative, "no account"), ["new", "new"])
        XCTAssertEqual(words(.authoritative, "verified, covered"), ["join", "join"])
        XCTAssertEqual(words(.authoritative, "verified, not covered"), ["conflict", "join"])
        XCTAssertEqual(words(.authoritative, "never verified"), ["adopt −1", "adopt −1"])
        XCTAssertEqual(words(.flagged, "verified, covered"), ["conflict", "join"])
        XCTAssertEqual(words(.claimed, "verified, covered"), ["new", "conflict"])
        XCTAssertEqual(words(.knownIdentity, "second factor"), ["factor", "factor"])
        XCTAssertEqual(words(.knownIdentity, "no account"), [])
    }

    /// The accounts are from before the policy, so that it answers for them also where it would not let them be made.
    func testAPolicyThatRefusesToMakeTheAccountsStillAnswersForThem() async throws {
        let cases: [(row: Incoming, column: String, word: String, change: (inout AuthPolicy) -> Void)] = [
            (.password, "verified, covered", "sign in", { $0.passwordRule.minimumLengthAlone = 15 }),
            (.password, "verified, covered", "refused", { $0.disabledProviders = [.password] }),
            (.authoritative, "never verified", "adopt −1", { $0.disabledProviders = [.password] }),
            (.confirmed, "address only displayed", "refused", { $0.disabledProviders = [.facebook] }),
            (.noAddress, "second factor", "new", { $0.factorLimit = 0 }),
            (.noAddress, "identity removed", "new", { $0.linkNonce = .always }),
            (.noAddress, "verified, covered", "new", { $0.lifetimes.mailCode = .zero }),
        ]
        for (number, (row, title, word, change)) in cases.enumerated() {
            var policy = AuthPolicy.standard
            change(&policy)
            let column = try XCTUnwrap(MapColumn.all.first { $0.title == title }, "there is no column \(title)")
            do {
                let cell = try await Encounter(incoming: row, state: column.state, policy: policy).play()
                XCTAssertEqual(cell.word, word, "case \(number) has another answer")
            } catch {
                XCTFail("case \(number): the policy refused to make the account: \(error)")
            }
        }
        var policy = AuthPolicy.standard
        policy.disabledProviders = [.password, .facebook]
        let map = try await DecisionMap(policies: [.standard, NamedPolicy(name: "changed", policy: policy)])
        for row in map.rows {
            for column in map.columns {
                XCTAssertNotEqual(map[row, column].count, 1, "\(row.title), \(column.title): one policy has no answer")
            }
        }
    }

    /// The article about policies names them, so that a person does not take equal rows for equal policies.
    func testTheChoicesThatChangeTheRowsAreThoseOfTheArticle() async throws {
        let shown: [(String, (inout AuthPolicy) -> Void)] = [
            ("accountsPerEmail", { $0.accountsPerEmail = .multiple }),
            ("addressReservation", { $0.addressReservation = .everyAddress }),
            ("addressTrust", { $0.addressTrust = .verifiedFlag }),
            ("blocksRemovedIssuers", { $0.blocksRemovedIssuers = false }),
            ("concealsSignUp", { $0.concealsSignUp = true }),
            ("disabledProviders", { $0.disabledProviders = [.password] }),
            ("evidenceLifetime", { $0.evidenceLifetime = nil }), ("joining", { $0.joining = .whenVerified }),
            ("recycledSubject", { $0.recycledSubject = .replaces }),
            ("unverifiedOwner", { $0.unverifiedOwner = .takenOver }),
        ]
        let terminal = Terminal(environment: [:], isTerminal: false, deviceWidth: nil)
        func rows(_ change: (inout AuthPolicy) -> Void) async throws -> [String] {
            var policy = AuthPolicy.standard
            change(&policy)
            return try await DecisionMap(policies: [.standard, NamedPolicy(name: "changed", policy: policy)])
                .lines(terminal)
        }
        let equal = try await rows { _ in }
        for (name, change) in shown {
            let changed = try await rows(change)
            XCTAssertNotEqual(changed, equal, "\(name) changes no row")
        }
        let others = try await rows { policy in
            (policy.limits, policy.recency) = (nil, AuthPolicy.firebase.recency)
            policy.sessions = AuthPolicy.firebase.sessions
            (policy.sendsNotices, policy.seniority, policy.deletionGrace) = (false, nil, nil)
            (policy.disclosure, policy.lastMethod, policy.linkNonce) = (.detailed, .removable, .never)
            (policy.passwordReset, policy.emailRecovery) = (.removesFederated, .firstAddress)
            (policy.unverifiedEmailChange, policy.joinProfile) = (.allowed, .overwrites)
            (policy.phoneWithFactors, policy.removedMethod) = (.refused, .keepsItsSessions)
            (policy.unverifiedLifetime, policy.factorRecoveryWait) = (nil, nil)
        }
        XCTAssertEqual(others, equal, "another choice changes a row, and the article does not name it")
        let article = try PackageFiles.text("Sources/AuthCore/AuthCore.docc/ChoosingAPolicy.md")
        let text = article.split(separator: "\n\n").first { $0.contains("`authlab matrix --policy FILE`") } ?? ""
        for (name, _) in shown { XCTAssertTrue(text.contains("`\(name)`"), "the article does not name \(name)") }
    }

    func testEveryReasonInTheMapHasItsRule() async throws {
        let map = try await map()
        for row in map.rows {
            for cell in map.columns.flatMap({ map[row, $0] }) {
                for reason in cell.reasons { XCTAssertNotNil(MapRule.of(reason), "\(reason)") }
            }
        }
        let article = try PackageFiles.text("Sources/AuthCore/AuthCore.docc/StandardPolicy.md")
        for rule in MapRule.all { XCTAssertTrue(article.contains("| \(rule.id) |"), rule.id) }
    }

    func testTheTableFitsTheTerminal() async throws {
        let map = try await map()
        for width in [60, 80, 120] {
            let terminal = Terminal(environment: ["COLUMNS": "\(width)"], isTerminal: false, deviceWidth: nil)
            let lines = map.lines(terminal).flatMap { $0.split(separator: "\n") }
            for line in lines { XCTAssertLessThanOrEqual(line.count, width, String(line)) }
            XCTAssertEqual(lines.count { $0.contains("runs the mailbox") } >= 1, true)
        }
    }

    func testEveryFormHasEveryRowAndColumnAndMarksTheDifferences() async throws {
        let map = try await DecisionMap(policies: [.standard, .firebaseProtected])
        let page = MapPage(map: map).html
        for text in [map.markdown, map.svg(.light), page] {
            for row in map.rows { XCTAssertTrue(text.contains(row.title), row.title) }
            XCTAssertTrue(text.contains("firebaseProtected"), "the second policy is not named")
            XCTAssertTrue(
                text.contains("methodsAreNotCovered") || text.contains("No verification of the address covers")
            )
        }
        let columns = map.columns.map(\.title)
        let heads = map.markdown.split(separator: "\n").filter { $0.hasPrefix("| what arrives |") }
        let head = "| what arrives | " + columns.joined(separator: " | ") + " |"
        XCTAssertEqual(heads.map(String.init), [head, head], "the heads of the two tables of the text")
        let titles = page.matches(of: #/role="columnheader"[^>]*>([^<]*)<\/th>/#).map { String($0.1) }
        XCTAssertEqual(titles, ["what arrives"] + columns.map { Drawing.escaped($0) }, "the head of the page's table")
        for column in map.columns {
            XCTAssertTrue(map.svg(.light).contains("<title>\(Drawing.escaped(column.about))</title>"), column.title)
        }
        XCTAssertTrue(map.markdown.contains("**conflict / join**"))
        XCTAssertEqual(page.matches(of: #/<td[^>]*class="differs"/#).count, differences(in: map))
        XCTAssertFalse(page.contains("http://") || page.contains("https://"), "the page is self-contained")
        for reference in page.matches(of: #/data-rules="([^"]*)"/#) {
            for rule in reference.1.split(separator: " ") {
                XCTAssertTrue(page.contains(#"<dt id="\#(rule)">"#), "no rule \(rule)")
            }
        }
    }

    private func code(of act: () async throws(AuthError) -> AuthResult) async -> AuthErrorCode? {
        do throws(AuthError) {
            _ = try await act()
            return nil
        } catch {
            return error.code
        }
    }

    private func differences(in map: DecisionMap) -> Int {
        map.rows.reduce(0) { count, row in count + map.columns.count { map.differs(row, $0) } }
    }
}
