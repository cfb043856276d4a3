/// The parts of a tagged password string.
///
/// The first field, `authcore1`, identifies what is done to a password before the scheme, so that these hashes
/// are never confused with those that other programs make with the same schemes.
enum StoredPassword {
    case pbkdf2(iterations: Int, salt: [UInt8], hash: [UInt8])
    case yescrypt(cost: Int, setting: String, hash: String)

    private static let preparation = "authcore1"
    private static let pbkdf2Name = "pbkdf2-sha256"
    private static let yescryptName = "y"
    private static let greatestLength = 512

    var scheme: PasswordScheme {
        switch self {
        case .pbkdf2(let iterations, _, _): .pbkdf2(iterations: iterations)
        case .yescrypt(let cost, _, _): .yescrypt(cost: cost)
        }
    }

    var tagged: String {
        let rest =
            switch self {
            case .pbkdf2(let iterations, let salt, let hash):
                "$\(Self.pbkdf2Name)$\(iterations)$\(Base64URL.encode(salt))$\(Base64URL.encode(hash))"
            case .yescrypt(_, let setting, let hash):
                "\(setting)$\(hash)"
            }
        return "$\(Self.preparation)\(rest)"
    }

    init(_ tagged: String) throws(PasswordHashing.Failure) {
        guard tagged.utf8.count <= Self.greatestLength else { throw .malformedHash }
        let fields = tagged.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        guard fields.count > 2, fields[0].isEmpty else { throw .malformedHash }
        switch (fields[1], fields[2]) {
        case (Self.preparation, Self.pbkdf2Name): self = try Self.pbkdf2(Array(fields[3...]))
        case (Self.preparation, Self.yescryptName): self = try Self.yescrypt(Array(fields[3...]))
        default: throw .unknownScheme
        }
    }

    private static func pbkdf2(_ fields: [String]) throws(PasswordHashing.Failure) -> StoredPassword {
        guard fields.count == 3, !fields[0].isEmpty,
            fields[0].utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else {
            throw .malformedHash
        }
        guard let iterations = Int(fields[0]), iterations <= PasswordScheme.iterations.upperBound else {
            throw .excessiveCost
        }
        guard PasswordScheme.iterations.contains(iterations),
            let salt = Base64URL.decode(fields[1]), !salt.isEmpty,
            let hash = Base64URL.decode(fields[2]), hash.count == 32
        else { throw .malformedHash }
        return .pbkdf2(iterations: iterations, salt: salt, hash: hash)
    }

    private static func yescrypt(_ fields: [String]) throws(PasswordHashing.Failure) -> StoredPassword {
        guard fields.count == 3, Yescrypt.isSalt(fields[1]), Yescrypt.isHash(fields[2]),
            let cost = Yescrypt.cost(ofParameters: fields[0])
        else { throw .malformedHash }
        guard PasswordScheme.yescryptCosts.contains(cost) else { throw .excessiveCost }
        return .yescrypt(cost: cost, setting: "$\(yescryptName)$\(fields[0])$\(fields[1])", hash: fields[2])
    }
}
