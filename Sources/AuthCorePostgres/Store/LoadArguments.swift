#if PostgreSQL
internal import AuthCore
internal import AuthCoreSQL

/// The arguments of the function that answers lookups: one element of each list for each lookup.
struct LoadArguments {
    private var kinds = ""
    private var names: [String?] = []
    private var ids: [[UInt8]?] = []
    private var keys: [[UInt8]?] = []
    private var purposes: [String?] = []

    mutating func append(_ lookup: Store.Lookup) {
        switch lookup {
        case .account(let id): append("a", name: id.description, id: OneTimeRecordID.tombstone(of: id).bytes)
        case .owner(let key): append("o", key: key.rowBytes)
        case .referencing(let email): append("m", name: email.description)
        case .session(let id): append("s", id: id.bytes)
        case .record(let id): append("r", id: id.bytes)
        case .sessions(let reference): append("S", reference)
        case .records(let reference, let purpose): append("R", reference, purpose: purpose.rawValue)
        }
    }

    private mutating func append(_ kind: String, _ reference: Store.Lookup.Reference, purpose: String? = nil) {
        switch reference {
        case .account(let id): append(kind, name: id.description, purpose: purpose)
        case .owner(let key): append(kind, key: key.rowBytes, purpose: purpose)
        }
    }

    private mutating func append(
        _ kind: String,
        name: String? = nil,
        id: [UInt8]? = nil,
        key: [UInt8]? = nil,
        purpose: String? = nil
    ) {
        kinds += kind
        names.append(name)
        ids.append(id)
        keys.append(key)
        purposes.append(purpose)
    }

    var parameters: [Parameter] {
        [.text(kinds), .texts(names), .ids(ids), .byteStrings(keys), .texts(purposes)]
    }
}
#endif
