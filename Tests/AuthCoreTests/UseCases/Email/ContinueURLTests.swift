import AuthCore
import AuthCoreTesting
import XCTest

/// S40: the link of a message continues only to the service's own hosts.
final class ContinueURLTests: LimitedTestCase {
    private let world = World {
        $0.actionURL = "https://accounts.example.com/action"
        $0.continueHosts = ["app.example.com", "Shop.Example", "xn--bcher-kva.example"]
    }

    private func send(_ url: String) async throws {
        try await world.device().sendSignInLink(to: "ann@example.com", settings: Message.Settings(continueURL: url))
    }

    func testS40_TheActionLinksOwnHostAndTheAllowedOnesPass() async throws {
        for url in [
            "https://accounts.example.com/done", "https://app.example.com/?a=b#c", "https://APP.example.com",
            "https://shop.example:8443/x", "http://app.example.com/",
            "HTTPS://app.example.com/", "https://xn--bcher-kva.example/x",
        ] {
            try await send(url)
            let link = try XCTUnwrap(world.outbox.messages.last?.link.flatMap { ActionCode.Link($0) })
            XCTAssertEqual(link.continueURL, url)
        }
    }

    func testS40_AnotherHostIsRefusedAndNothingIsSent() async throws {
        for url in [
            "https://evil.example/", "https://app.example.com.evil.example/", "https://evilapp.example.com/",
            "https://example.com/", "https://app.example.com./", "https://evil.example/https://app.example.com",
        ] {
            await assertThrows(.unauthorizedDomain, url) { try await send(url) }
        }
        XCTAssertEqual(world.outbox.messages.count, 0)
    }

    func testS40_WhatABrowserReadsDifferentlyIsMalformed() async throws {
        for url in [
            "https://evil.example\\@app.example.com/", "https://app.example.com@evil.example/",
            "https://evil.example:x@app.example.com/", "https://app.exam\tple.com/",
            "https://app.example.com\\.evil.example", "https://app.example.com/\\evil.example",
            "https:app.example.com", "https:///app.example.com", "//app.example.com/", "ftp://app.example.com/",
            " https://app.example.com/", "https://app.example.com/\u{7f}",
        ] {
            await assertThrows(.invalidContinueURI, url) { try await send(url) }
        }
    }

    func testS40_EveryMessageThatTakesSettingsIsChecked() async throws {
        let settings = Message.Settings(continueURL: "https://evil.example/")
        let auth = world.device()
        let ann = try await auth.signUp(email: "ann@example.com", password: "correct horse battery").user
        await assertThrows(.unauthorizedDomain) {
            try await auth.sendPasswordReset(to: "ann@example.com", settings: settings)
        }
        await assertThrows(.unauthorizedDomain) {
            try await auth.sendSignInMethods(to: "ann@example.com", settings: settings)
        }
        await assertThrows(.unauthorizedDomain) { try await ann.sendEmailVerification(settings: settings) }
        await assertThrows(.unauthorizedDomain) {
            try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com", settings: settings)
        }
    }

    func testS40_WithoutAnActionLinkOfItsOwnNoHostIsAllowed() async throws {
        let device = World { $0.actionURL = "myapp:action" }.device()
        await assertThrows(.unauthorizedDomain) {
            try await device.sendSignInLink(
                to: "ann@example.com",
                settings: Message.Settings(continueURL: "https://evil.example/")
            )
        }
    }

    func testS40_AContinueURLHasAtMost2048Bytes() async throws {
        let start = "https://app.example.com/?a="
        try await send(start + String(repeating: "b", count: 2048 - start.utf8.count))
        await assertThrows(.invalidContinueURI, "2049 bytes") {
            try await send(start + String(repeating: "b", count: 2049 - start.utf8.count))
        }
    }
}
