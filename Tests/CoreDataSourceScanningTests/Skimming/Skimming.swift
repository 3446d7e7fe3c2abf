import CoreDataSourceScanning
import SwiftParser
import SwiftSyntax

/// A source scanned twice: with bodies hidden, and as a whole.
struct Skimming {
    let source: String
    /// The source with bodies hidden; nil where it is in doubt.
    let skimmed: String?

    init(_ source: String) {
        self.source = source
        skimmed = SourceSkim.text(of: source)
    }

    /// Whether both scans find the same; for two choices of conditions if there are any.
    var agrees: Bool {
        let scanner = SourceScanner(conditions: [])
        let whole = scanner.scan(whole: source, file: "/a/Source.swift")
        guard scanner.scan(source, file: "/a/Source.swift") == whole else { return false }
        guard !whole.flags.isEmpty else { return true }
        let other = SourceScanner(conditions: whole.flags)
        return other.scan(source, file: "/a/Source.swift") == other.scan(whole: source, file: "/a/Source.swift")
    }

    /// Whether the parser has nothing to say against the source.
    var isSwift: Bool { !Parser.parse(source: source).hasError }

    /// How much of the text that is no space the parser does not see.
    var hiddenShare: Double {
        let all = Self.count(source)
        return all == 0 ? 0 : 1 - Double(Self.count(skimmed ?? source)) / Double(all)
    }

    private static func count(_ text: String) -> Int { text.utf8.count { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D } }
}
