internal import Foundation

extension NSCoder {
    /// The string under a key; nil if the archive has another type there.
    func text(forKey key: String) -> String? {
        decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) }
    }

    /// The date under a key, written as seconds since 1970.
    func date(forKey key: String) -> Date? {
        containsValue(forKey: key) ? Date(timeIntervalSince1970: decodeDouble(forKey: key)) : nil
    }

    /// Writes a date as seconds since 1970, or nothing.
    func encode(_ date: Date?, forKey key: String) {
        if let date { encode(date.timeIntervalSince1970, forKey: key) }
    }
}
