/// 32 bytes that name something: a group, a statement or an item by its digest, a device by its public key.
struct Fingerprint: Hashable, Comparable, Sendable, CustomStringConvertible {
    static let size = 32

    let bytes: [UInt8]

    /// Of 32 bytes; fewer are filled with zeros, more are cut off.
    init(_ bytes: some Sequence<UInt8>) {
        var fixed = Array(bytes.prefix(Self.size))
        fixed += [UInt8](repeating: 0, count: Self.size - fixed.count)
        self.bytes = fixed
    }

    /// Of 64 hexadecimal digits; nil for any other text.
    init?(_ text: String) {
        guard let bytes = Hexadecimal.bytes(text), bytes.count == Self.size else { return nil }
        self.bytes = bytes
    }

    /// 64 lower-case hexadecimal digits.
    var description: String { Hexadecimal.text(bytes) }
    /// The first 16 digits, as people see it.
    var short: String { String(description.prefix(16)) }

    static func < (left: Fingerprint, right: Fingerprint) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

/// Bytes as hexadecimal digits.
enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    /// nil for anything but pairs of lower-case digits.
    static func bytes(_ text: String) -> [UInt8]? {
        let values = text.utf8.map { digit in digits.firstIndex(of: digit).map { UInt8($0) } }
        guard values.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: values.count, by: 2) {
            guard let high = values[place], let low = values[place + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
