/// Format 0: an account as one flat list of fields, without evidence and without methods.
enum FlatAccount {
    /// The account in format 1.
    ///
    /// That an address was verified becomes evidence of an import nobody vouches for. When somebody last signed in is
    /// no longer part of an account, so that is left behind.
    static let withMethods: RecordMigration.Step = { flat in
        guard flat.objectValue != nil, let id = flat["uid"], let createdAt = flat["createdAt"] else { return nil }
        guard let kinds = kinds(of: flat) else { return nil }
        let methods = kinds.enumerated().map { generation, kind in
            ClaimValue.object([
                "kind": kind, "addedAt": createdAt, "seniorSince": createdAt, "generation": .integer(Int64(generation)),
                "coverage": [],
            ])
        }
        let email = flat.present("email")
        var account: [String: ClaimValue] = [
            "id": id, "version": 0, "epoch": 0, "nextGeneration": .integer(Int64(methods.count)),
            "createdAt": createdAt, "isAnonymous": .bool(methods.isEmpty && email == nil),
            "isDisabled": flat.present("disabled") ?? false, "wasEverProven": false, "acceptsCustomTokens": false,
            "isProvisional": false, "reservesEmail": .bool(email != nil), "customClaims": [:],
            "methods": .array(methods), "factors": [], "recoveryCodes": [], "evidence": [], "severedIssuers": [],
            "reservations": [],
        ]
        for name in ["email", "displayName", "photoURL"] { account[name] = flat.present(name) }
        if let email, flat["emailVerified"] == true {
            account["evidence"] = [
                [
                    "subject": ["email": ["_0": email]], "source": ["imported": ["trusted": false]],
                    "firstAt": createdAt, "lastAt": createdAt, "count": 1,
                ]
            ]
        }
        return .object(account)
    }

    /// What the methods are: the password first, then the number, then the providers in their order.
    private static func kinds(of flat: ClaimValue) -> [ClaimValue]? {
        guard let providers = (flat.present("providers") ?? []).arrayValue else { return nil }
        var kinds: [ClaimValue] = []
        let password = flat.present("passwordHash")
        if let password { kinds.append(["password": ["_0": password]]) }
        if let number = flat.present("phoneNumber") { kinds.append(["phone": ["_0": number]]) }
        for provider in providers {
            switch provider["id"] {
            // An entry for passwords without a password stood for mailed links.
            case "password": if password == nil { kinds.append(["emailLink": [:]]) }
            case "phone": break
            default: kinds.append(["federated": ["_0": identity(of: provider)]])
            }
        }
        return kinds
    }

    private static func identity(of provider: ClaimValue) -> ClaimValue {
        let id = provider["id"] ?? .null
        var identity: [String: ClaimValue] = [
            "key": ["issuer": id, "subject": provider["uid"] ?? .null], "provider": id, "word": 0,
        ]
        for name in ["email", "displayName", "photoURL"] { identity[name] = provider.present(name) }
        return .object(identity)
    }
}

extension ClaimValue {
    /// The member under this key; nil for null, too.
    fileprivate func present(_ key: String) -> ClaimValue? {
        self[key].flatMap { $0.isNull ? nil : $0 }
    }
}
