/// The names that a hub takes, so that each is the name of a file in the folder that it is meant for.
package enum HubNames {
    /// Whether a word names a group: 1 to 64 of the lower-case letters, digits and hyphens, which begins with none of the last.
    package static func isGroup(_ name: some StringProtocol) -> Bool {
        (1...64).contains(name.utf8.count) && name.utf8.first != hyphen
            && name.utf8.allSatisfy { isLetterOrDigit($0) || $0 == hyphen }
    }

    /// Whether a word names an item, as `FolderTransport` names its files: 1 to 200 of the lower-case letters, digits, hyphens, underscores and
    /// full stops, which begins with a letter or a digit, and has `.ocsync` in it.
    package static func isItem(_ name: some StringProtocol) -> Bool {
        let bytes = Array(name.utf8)
        guard (1...200).contains(bytes.count), let first = bytes.first, isLetterOrDigit(first) else { return false }
        let isPlain = bytes.allSatisfy {
            isLetterOrDigit($0) || $0 == hyphen || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
        }
        return isPlain && name.contains(".ocsync") && !name.hasSuffix(".part")
    }

    private static let hyphen = UInt8(ascii: "-")

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }
}
