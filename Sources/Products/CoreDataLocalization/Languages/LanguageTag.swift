import Foundation

/// A language as BCP 47 names it: language, script, region, variants and extensions, each in its canonical letter case.
///
/// Names that were replaced are read as their successors: `iw` as `he`, `in` as `id`, `sh` as `sr-Latn`.
public struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
    /// The greatest length of a tag in bytes; longer texts are refused.
    public static let longest = 100

    /// The language, two to eight lower-case letters, such as `de`.
    public let language: String
    /// The script, four letters, such as `Hant`; nil if the tag names none.
    public private(set) var script: String?
    /// The region, two letters or three digits, such as `AT` or `419`; nil if the tag names none.
    public private(set) var region: String?
    /// The variants, such as `valencia`.
    public private(set) var variants: [String] = []
    /// Extensions and what is for private use, such as `u-nu-arab`; empty if the tag has none.
    public private(set) var extensions = ""

    /// English.
    public static let english = LanguageTag(language: "en")

    private init(language: String) { self.language = language }

    /// Reads a tag such as `zh-Hant-TW`; `_` may stand for `-`, and letters may be of either case.
    ///
    /// `ja_JP@calendar=japanese` is read too: `calendar` and `numbers` become the extensions `ca` and `nu`. Returns nil for a text
    /// that is not a tag, or is longer than `longest`.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let halves = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        var parts = halves[0].replacing("_", with: "-").split(separator: "-", omittingEmptySubsequences: false)[...]
        guard let first = parts.popFirst()?.lowercased(), Self.isLanguage(first) else { return nil }
        var name = first
        // An extended language replaces the one that it extends: zh-yue is yue (RFC 5646, 4.5).
        if first.count < 4, let next = parts.first, next.count == 3, Self.isLetters(next) {
            name = next.lowercased()
            parts.removeFirst()
        }
        let (language, impliedScript) = Self.successors[name] ?? (name, nil)
        self.init(language: language)
        if let next = parts.first, next.count == 4, Self.isLetters(next) {
            script = next.prefix(1).uppercased() + next.dropFirst().lowercased()
            parts.removeFirst()
        }
        if let next = parts.first, Self.isRegion(next) {
            region = next.uppercased()
            parts.removeFirst()
        }
        script = script ?? impliedScript
        while let next = parts.first, Self.isVariant(next) {
            variants.append(next.lowercased())
            parts.removeFirst()
        }
        guard Self.areExtensions(parts) else { return nil }
        extensions = parts.joined(separator: "-").lowercased()
        if halves.count > 1 { guard add(keywords: halves[1]) else { return nil } }
    }

    /// Adds what Apple's identifiers have after `@`.
    private mutating func add(keywords: Substring) -> Bool {
        for keyword in keywords.split(separator: ";") {
            let pair = keyword.split(separator: "=")
            guard pair.count == 2, Self.isAlphanumeric(pair[1]), (3...8).contains(pair[1].count) else { return false }
            switch pair[0].lowercased() {
            case "calendar": add(extension: "ca", pair[1].lowercased())
            case "numbers": add(extension: "nu", pair[1].lowercased())
            default: continue
            }
        }
        return true
    }

    private mutating func add(extension key: String, _ value: String) {
        extensions += extensions.isEmpty ? "u-\(key)-\(value)" : "-\(key)-\(value)"
    }

    /// The same language with another region.
    public func with(region: String) -> LanguageTag? {
        guard Self.isRegion(region[...]) else { return nil }
        var tag = self
        tag.region = region.uppercased()
        return tag
    }

    /// The same language with another script.
    func with(script: String) -> LanguageTag {
        var tag = self
        tag.script = script
        return tag
    }

    /// The tag, such as `zh-Hant-TW`.
    public var description: String {
        let parts = [language, script, region].compactMap { $0 } + variants + [extensions]
        return parts.filter { !$0.isEmpty }.joined(separator: "-")
    }

    // MARK: The grammar, RFC 5646, 2.1

    /// Languages whose names were replaced, with the script that the old name meant. Source: CLDR, `languageAlias`.
    private static let successors: [String: (String, String?)] = [
        "iw": ("he", nil), "in": ("id", nil), "ji": ("yi", nil), "jw": ("jv", nil), "mo": ("ro", nil),
        "sh": ("sr", "Latn"), "tl": ("fil", nil), "cmn": ("zh", nil), "arb": ("ar", nil), "zsm": ("ms", nil),
    ]

    private static func isLanguage(_ text: String) -> Bool {
        (2...8).contains(text.count) && text.count != 4 && isLetters(text[...])
    }

    private static func isRegion(_ text: Substring) -> Bool {
        text.count == 2 && isLetters(text) || text.count == 3 && text.utf8.allSatisfy { (48...57).contains($0) }
    }

    private static func isVariant(_ text: Substring) -> Bool {
        guard isAlphanumeric(text) else { return false }
        return (5...8).contains(text.count)
            || text.count == 4 && text.utf8.first.map { (48...57).contains($0) } ?? false
    }

    /// Whether the parts are extensions: a letter or digit, then parts of up to eight letters and digits.
    private static func areExtensions(_ parts: ArraySlice<Substring>) -> Bool {
        guard let first = parts.first, let last = parts.last else { return true }
        return first.count == 1 && last.count > (first.lowercased() == "x" ? 0 : 1)
            && parts.allSatisfy { (1...8).contains($0.count) && isAlphanumeric($0) }
    }

    private static func isLetters(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (65...90).contains($0 & 0xDF) }
    }

    private static func isAlphanumeric(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0 & 0xDF) }
    }
}
