#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

// Bytes in records are one base64 text: as a list of numbers, each byte would cost a coder as much as a member does. The
// conformances that the compiler writes use these, since they fit better than those for any `Codable` value.

extension KeyedEncodingContainer {
    mutating func encode(_ bytes: [UInt8], forKey key: Key) throws {
        try encode(Data(bytes).base64EncodedString(), forKey: key)
    }

    mutating func encodeIfPresent(_ bytes: [UInt8]?, forKey key: Key) throws {
        if let bytes { try encode(bytes, forKey: key) }
    }
}

extension KeyedDecodingContainer {
    func decode(_ type: [UInt8].Type, forKey key: Key) throws -> [UInt8] {
        guard let data = Data(base64Encoded: try decode(String.self, forKey: key)) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "Not base64")
        }
        return Array(data)
    }

    func decodeIfPresent(_ type: [UInt8].Type, forKey key: Key) throws -> [UInt8]? {
        contains(key) ? try decode(type, forKey: key) : nil
    }
}
