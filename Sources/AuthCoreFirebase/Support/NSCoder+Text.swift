internal import Foundation

extension NSCoder {
    /// The string under a key; nil if the archive has another type there, or nothing.
    func text(forKey key: String) -> String? {
        // Asking for what is not there would make everything that is read afterwards fail.
        guard containsValue(forKey: key) else { return nil }
        return decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) }
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
