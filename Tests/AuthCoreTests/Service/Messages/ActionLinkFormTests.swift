import XCTest

@testable import AuthCore

final class ActionLinkFormTests: LimitedTestCase {
    private let bases = [
        "https://auth.invalid/action", "https://example.com", "https://example.com/a%20b?tenant=x", "app://open#here",
        "https://example.com/?next=a%26b&empty=&flag#part?two", "https://bücher.example/ö", "", "not an address [",
        "https://example.com:port/action",
    ]

    func testALinkIsWhatTakingItsBaseApartEveryTimeWouldGive() {
        let settings = [
            nil, Message.Settings(), Message.Settings(continueURL: "https://app.example/?a=1&b=ä #x"),
            Message.Settings(continueURL: "https://app.example", language: "de-CH"), Message.Settings(language: "+ &="),
        ]
        for base in bases {
            let form = ActionLinkForm(base: base)
            for setting in settings {
                let text = form.text(kind: .resetPassword, code: "Ab-9_", settings: setting)
                XCTAssertEqual(text, slowly(base, code: "Ab-9_", settings: setting), base)
            }
        }
    }

    func testOfTwoCodesInALinkTheLastOneCounts() {
        let link = ActionCode.Link("https://a.example/action?oobCode=first&oobCode=last")
        XCTAssertEqual(link?.code, "last", "the code that is applied")
    }

    func testAnExpectedLinkIsReadBack() throws {
        let text = ActionLinkForm(base: "https://example.com/?tenant=x#part").text(
            kind: .methodAdded,
            code: "code",
            settings: Message.Settings(continueURL: "https://app.example/?a=b", language: "fr")
        )
        let link = try XCTUnwrap(ActionCode.Link(text))
        XCTAssertEqual(link.mode, "changeReport")
        XCTAssertEqual(link.code, "code")
        XCTAssertEqual(link.continueURL, "https://app.example/?a=b")
        XCTAssertEqual(link.languageCode, "fr")
    }

    /// A page that reads the query as a form takes a plus sign for a space.
    func testAPlusSignInTheContinueURLIsEncoded() throws {
        let address = "https://app.example/?mail=ann+boats@example.com&a=b%2Bc"
        let text = ActionLinkForm(base: "https://example.com").text(
            kind: .resetPassword,
            code: "code",
            settings: Message.Settings(continueURL: address)
        )
        XCTAssertFalse(text.contains("+"), text)
        XCTAssertEqual(ActionCode.Link(text)?.continueURL, address, "what is read back")
    }

    func testTheModeOfALinkIsFirebasesWhereItHasOne() {
        let form = ActionLinkForm(base: "https://a.example")
        for (kind, mode) in [
            (.verifyEmail, "verifyEmail"), (.resetPassword, "resetPassword"), (.recoverEmail, "recoverEmail"),
            (.signInLink, "signIn"), (.changeEmail, "verifyAndChangeEmail"), (.methodAdded, "changeReport"),
        ] as [(Message.Kind, String)] {
            let text = form.text(kind: kind, code: "code", settings: nil)
            XCTAssertEqual(ActionCode.Link(text)?.mode, mode, "the mode of \(kind)")
        }
    }

    func testALinkThatStatesNoModeHasNone() throws {
        let link = try XCTUnwrap(ActionCode.Link("https://a.example/?oobCode=code"))
        XCTAssertNil(link.mode, "the mode of a link that states none")
    }

    func testALinkWhoseCodeIsEmptyIsReadFromTheLinkInsideIt() {
        let link = ActionCode.Link("https://page.example/?oobCode=&link=https%3A%2F%2Fa.example%2F%3FoobCode%3Dcode")
        XCTAssertEqual(link?.code, "code", "the code of the inner link")
        XCTAssertNil(ActionCode.Link("https://a.example/?oobCode="), "a link with no other code")
    }

    func testALinkKeepsTheQueryAndTheFragmentOfItsBase() {
        for (base, link) in [
            ("https://a.example/b?c=d#e", "https://a.example/b?c=d&mode=verifyEmail&oobCode=code#e"),
            ("https://a.example/b#e", "https://a.example/b?mode=verifyEmail&oobCode=code#e"),
            ("https://a.example", "https://a.example?mode=verifyEmail&oobCode=code"),
        ] {
            XCTAssertEqual(ActionLinkForm(base: base).text(kind: .verifyEmail, code: "code", settings: nil), link, base)
        }
    }

    func testABaseThatIsNoAddressIsTheWholeLink() {
        let base = "https://example.com:port/action"
        XCTAssertNil(URLComponents(string: base))
        XCTAssertEqual(ActionLinkForm(base: base).text(kind: .verifyEmail, code: "code", settings: nil), base)
    }

    func testALinkInsideALinkIsReadAsDeepAsItIsWrappedTwice() throws {
        func wrapped(_ link: String, as name: String) throws -> String {
            var parts = try XCTUnwrap(URLComponents(string: "https://example.page.link/"))
            parts.queryItems = [URLQueryItem(name: name, value: link)]
            return try XCTUnwrap(parts.string)
        }
        let inner = "https://example.com/?mode=signIn&oobCode=code"
        let once = try wrapped(inner, as: "link")
        let twice = try wrapped(once, as: "deep_link_id")
        for link in [inner, once, twice] {
            XCTAssertEqual(ActionCode.Link(link)?.code, "code", link)
            XCTAssertEqual(ActionCode.Link(link)?.mode, "signIn", link)
        }
        XCTAssertNil(ActionCode.Link(try wrapped(twice, as: "link")))
        XCTAssertNil(ActionCode.Link(try wrapped("https://example.com/", as: "link")))
    }

    func testTheLinkInALinkIsReadBeforeTheDeepLinkInIt() {
        let first = "link=https%3A%2F%2Fa.example%2F%3FoobCode%3Dright"
        let second = "deep_link_id=https%3A%2F%2Fa.example%2F%3FoobCode%3Dwrong"
        for query in ["\(first)&\(second)", "\(second)&\(first)"] {
            let link = ActionCode.Link("https://page.example/?\(query)")
            XCTAssertEqual(link?.code, "right", "the code of \(query)")
        }
    }

    func testALinkOfMoreThanSixteenKilobytesIsNotRead() {
        let start = "https://example.com/?mode=signIn&oobCode=code&more="
        let longest = start + String(repeating: "a", count: 16_384 - start.utf8.count)
        XCTAssertEqual(ActionCode.Link(longest)?.code, "code", "a link of 16,384 bytes")
        XCTAssertNil(ActionCode.Link(longest + "a"), "a link of 16,385 bytes")
    }

    private func slowly(_ base: String, code: String, settings: Message.Settings?) -> String {
        guard var parts = URLComponents(string: base) else { return base }
        var items = [
            URLQueryItem(name: "mode", value: "resetPassword"), URLQueryItem(name: "oobCode", value: code),
        ]
        if let url = settings?.continueURL { items.append(URLQueryItem(name: "continueUrl", value: url)) }
        if let language = settings?.language { items.append(URLQueryItem(name: "lang", value: language)) }
        parts.queryItems = (parts.queryItems ?? []) + items
        return parts.string?.replacing("+", with: "%2B") ?? base
    }
}
