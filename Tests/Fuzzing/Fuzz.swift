internal import AuthCore
internal import AuthCoreClaims
internal import AuthCoreMigration
internal import AuthCoreProviders
internal import AuthCoreTesting
internal import Dispatch
internal import Foundation

/// What the fuzzer calls with every input; the variable `PARSER` says which parser gets it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe UnsafeBufferPointer(start: start, count: count)
    Parser.chosen.run(unsafe Array(input))
    return 0
}

/// A parser that meets what strangers send.
enum Parser: String, CaseIterable {
    case address
    case phone
    case link
    case json
    case token
    case record
    case accounts
    case firebase
    case trace
    /// A provider that answers everything with these bytes.
    case provider
    /// What a browser comes back from a provider with; `STATE` and `HOME` stand for what a visit has.
    case callback
    /// A defect put there on purpose, by which is seen that the fuzzer finds any.
    case planted

    static let chosen: Parser = {
        let name = ProcessInfo.processInfo.environment["PARSER"] ?? ""
        guard let parser = Parser(rawValue: name) else {
            print("PARSER must be one of \(allCases.map(\.rawValue))")
            exit(2)
        }
        return parser
    }()

    func run(_ bytes: [UInt8]) {
        switch self {
        case .address:
            // What is accepted has one spelling, and reading that again changes nothing.
            if let address = EmailAddress(text(bytes)) { precondition(EmailAddress(address.text) == address) }
        case .phone:
            if let number = PhoneNumber(text(bytes)) { precondition(PhoneNumber(number.text) == number) }
        case .link:
            if let link = ActionCode.Link(text(bytes)) { precondition(!link.code.isEmpty) }
        case .json:
            // What only checks an object accepts what reading accepts, and finds the same values.
            let (read, checked) = (ClaimValue(json: bytes), JSONMembers(json: bytes))
            precondition((read?.objectValue == nil) == (checked == nil))
            for name in ["", "a", "iss", "sub"] as [StaticString] {
                precondition(checked?[name] == read?[name.description])
            }
            if let read { precondition(ClaimValue(json: read.json()) == read) }
        case .token:
            waitFor { await Bench.shared.presentToken(text(bytes)) }
        case .record:
            let coder = Store.RecordCoder()
            if let account = try? coder.decode(Account.self, from: bytes) { roundTrip(account, coder) }
            if let session = try? coder.decode(Session.self, from: bytes) { roundTrip(session, coder) }
            if let record = try? coder.decode(OneTimeRecord.self, from: bytes) { roundTrip(record, coder) }
            if let changes = try? coder.decode(ChangeSet.self, from: bytes) { roundTrip(changes, coder) }
        case .accounts:
            waitFor { await Bench.shared.importLines(text(bytes)) }
        case .firebase:
            waitFor { await Bench.shared.importExport(bytes) }
        case .trace:
            for line in text(bytes).split(separator: "\n") { _ = try? Trace(line: line) }
        case .provider:
            waitFor { await HostileProvider(bytes: bytes).meet(text(bytes)) }
        case .callback:
            waitFor { await Visits().comeBack(text(bytes)) }
        case .planted:
            precondition(!(bytes.count > 2 && bytes[0] == 0x42 && bytes[1] == 0x55 && bytes[2] == 0x47), "found")
        }
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// What was read can be written, and reads the same.
    private func roundTrip<Record: Store.StoredRecord & Equatable>(_ record: Record, _ coder: Store.RecordCoder) {
        guard let bytes = try? coder.encode(record) else { return }
        precondition((try? coder.decode(Record.self, from: bytes)) == record)
    }

    private func waitFor(_ work: @escaping @Sendable () async -> Void) {
        let done = DispatchSemaphore(value: 0)
        Task {
            await work()
            done.signal()
        }
        done.wait()
    }
}

/// A service that what the fuzzer makes is presented to.
struct Bench: Sendable {
    static let shared = Bench()

    private let status = Bench.service()

    private static func service() -> AuthService {
        AuthService(
            AuthConfiguration(
                providers: .simulated,
                passwordHasher: CheapPasswordHasher(),
                secretKey: Array(repeating: 7, count: 32)
            )
        )
    }

    func presentToken(_ text: String) async {
        let client = status.client(for: "a browser", origin: .unknown)
        _ = try? await client.user(forIDToken: text)
        _ = try? await client.refresh(text)
        _ = try? await client.verify(.customToken(text))
        _ = try? await client.verify(.google(idToken: text))
        _ = try? await client.verify(.gitHub(accessToken: text))
    }

    func importLines(_ text: String) async {
        _ = try? await Bench.service().importAccounts(Lines(text.split(separator: "\n").map(String.init)))
    }

    func importExport(_ bytes: [UInt8]) async {
        _ = try? await Bench.service().importFirebaseExport(bytes)
    }
}

/// Lines one after the other.
struct Lines: AsyncSequence, AsyncIteratorProtocol {
    private var lines: [String].Iterator

    init(_ lines: [String]) { self.lines = lines.makeIterator() }

    mutating func next() async -> String? { lines.next() }

    func makeAsyncIterator() -> Lines { self }
}

/// A provider whose every answer is what the fuzzer makes.
struct HostileProvider: HTTPTransport {
    let bytes: [UInt8]

    func send(_ request: ProviderRequest) async throws -> ProviderResponse {
        // A verifier of ID tokens gets as far as the keys.
        if request.url.path() == "/.well-known/openid-configuration" {
            let configuration = #"{"issuer":"https://a.example","jwks_uri":"https://a.example/keys"}"#
            return ProviderResponse(status: 200, body: Array(configuration.utf8))
        }
        return ProviderResponse(status: 200, headers: ["location": String(decoding: bytes, as: UTF8.self)], body: bytes)
    }

    func meet(_ text: String) async {
        let context = VerificationContext(now: Date(timeIntervalSince1970: 1_800_000_000))
        var code = AuthCredential.Federated(provider: .gitHub)
        code.authorizationCode = Secret(text)
        _ = try? await GitHubVerifier(clientID: "a", clientSecret: "b", transport: self).verify(code, in: context)
        var token = AuthCredential.Federated(provider: .facebook)
        token.accessToken = Secret(text)
        let facebook = FacebookVerifier(appID: "a", appSecret: "b", transport: self)
        _ = try? await facebook.verify(token, in: context)
        token.idToken = Secret(text)
        _ = try? await facebook.verify(token, in: context)
        #if OpenSSL
        let oidc = OIDCVerifier("oidc.a", issuer: "https://a.example", clientIDs: ["a"], transport: self)
        // A file that is no key is reported before anything is sent.
        let key = AppleClientKey(teamID: "a", keyID: "b", privateKey: Secret(text))
        code.nonce = "a"
        _ = try? await OIDCVerifier.apple(clientIDs: ["a"], key: key, transport: self).verify(code, in: context)
        for idToken in [text, "eyJhbGciOiJSUzI1NiJ9.e30.AAAA"] {
            token.idToken = Secret(idToken)
            _ = try? await oidc.verify(token, in: context)
        }
        #endif
    }
}

/// Visits to a GitHub that gives no token, and what comes back from them.
struct Visits: Sendable {
    private static let home = "https://app.example/github.com/callback"
    // One for each input, since what visits leave behind lasts minutes.
    private let service = AuthService(
        AuthConfiguration(
            providers: [
                GitHubVerifier(clientID: "a", clientSecret: "b", transport: HostileProvider(bytes: [0x7B, 0x7D]))
            ],
            passwordHasher: CheapPasswordHasher(),
            secretKey: Array(repeating: 7, count: 32)
        )
    )

    func comeBack(_ text: String) async {
        let client = service.client(for: "a browser", origin: .local)
        var text = text.replacing("HOME", with: Self.home)
        if text.contains("STATE") {
            guard let page = try? await client.begin(.signIn, with: .gitHub, redirectURI: Self.home) else {
                preconditionFailure("a visit begins whatever came back from others")
            }
            let items = URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems ?? []
            text = text.replacing("STATE", with: items.first { $0.name == "state" }?.value ?? "")
        }
        let result = try? await client.complete(callback: text)
        precondition(result == nil, "a provider without tokens signs nobody in")
    }
}
