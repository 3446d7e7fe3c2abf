import Foundation

/// The order of titles as people read them: without regard to case and accents, and numbers by their values.
///
/// A key is made once for a title, so that 100,000 titles are compared as bytes; asking Foundation for each comparison takes seconds.
struct TitleOrder: Comparable {
    private let key: String

    /// The key of a title; what has none comes first.
    init(_ title: String?) {
        guard let title else {
            key = ""
            return
        }
        let isPlain = title.utf8.allSatisfy { $0 < 0x80 }
        let folded = isPlain ? title : title.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        key = Self.numbered(folded)
    }

    static func < (one: Self, other: Self) -> Bool { one.key < other.key }

    /// The text in lower case, without white space before it, and the number of its digits before each number.
    private static func numbered(_ text: String) -> String {
        var bytes: [UInt8] = [1]
        let source = Array(text.utf8)
        var index = source.firstIndex { $0 != 32 && $0 != 9 } ?? source.count
        while index < source.count {
            let byte = source[index]
            guard byte >= 48, byte <= 57 else {
                bytes.append(byte >= 65 && byte <= 90 ? byte + 32 : byte)
                index += 1
                continue
            }
            let end = source[index...].firstIndex { $0 < 48 || $0 > 57 } ?? source.count
            let digits = source[index..<end].drop { $0 == 48 }
            bytes.append(48)
            bytes.append(48 + UInt8(min(digits.count, 60)))
            bytes += digits
            index = end
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
