import CoreDataStore

/// The folding data for a database: the scalars that change, the marks that are removed, and the scalars that it may
/// not know.
///
/// The data is computed by `TextFolding` itself, one scalar at a time.
struct FoldingTable: Sendable {
    /// Scalars that become one other scalar, without ASCII.
    let single: [(from: Unicode.Scalar, to: Unicode.Scalar)]
    /// Scalars that become several scalars.
    let multiple: [(from: Unicode.Scalar, to: String)]

    /// The case folding of composed texts, and of decomposed ones.
    static let composed = FoldingTable { String($0).precomposedStringWithCanonicalMapping }
    static let decomposed = FoldingTable { String($0).decomposedStringWithCanonicalMapping }

    /// The marks that `[d]` ignores.
    static let marks = ScalarClass { $0.properties.generalCategory == .nonspacingMark }

    /// The scalars that the oldest supported server may normalize otherwise: it has Unicode 13, and the normalization
    /// of scalars known to it never changes. U+11A7 is not a consonant, though some versions of the server treat it as
    /// one.
    static let unknownToServers = ScalarClass { scalar in
        if scalar == "\u{11A7}" { return true }
        guard let age = scalar.properties.age, age.major > 13 else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default:
            // New vowels that compose with a preceding scalar only occur in scripts with new marks.
            return scalar.properties.canonicalCombiningClass != .notReordered || scalar.value >= 0x11000
                || String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.count > 1
        }
    }

    private init(_ normalized: (Unicode.Scalar) -> String) {
        var (single, multiple): ([(Unicode.Scalar, Unicode.Scalar)], [(Unicode.Scalar, String)]) = ([], [])
        for scalar in ScalarClass.scalars where scalar.properties.changesWhenCaseMapped {
            guard normalized(scalar).unicodeScalars.elementsEqual([scalar]) else { continue }
            let folded = TextFolding.folded(String(scalar), options: .caseInsensitive)
            guard let first = folded.unicodeScalars.first, !folded.unicodeScalars.elementsEqual([scalar]) else {
                continue
            }
            if folded.unicodeScalars.count == 1 {
                single.append((scalar, first))
            } else {
                multiple.append((scalar, folded))
            }
        }
        (self.single, self.multiple) = (single, multiple)
    }

    private init(
        _ single: [(from: Unicode.Scalar, to: Unicode.Scalar)], _ multiple: [(from: Unicode.Scalar, to: String)]
    ) {
        (self.single, self.multiple) = (single, multiple)
    }

    /// Returns the part of the table that decides whether a folded text contains a constant: only scalars that become
    /// scalars of the constant matter, and marks that become letters, since all other marks are removed.
    func part(deciding constant: String) -> FoldingTable {
        let scalars = Set(constant.unicodeScalars)
        func isNeeded(_ from: Unicode.Scalar, _ to: some Sequence<Unicode.Scalar>) -> Bool {
            scalars.contains(from) || to.contains { scalars.contains($0) }
                || from.properties.generalCategory == .nonspacingMark
        }
        return FoldingTable(
            single.filter { isNeeded($0.from, [$0.to]) }, multiple.filter { isNeeded($0.from, $0.to.unicodeScalars) })
    }

    /// Returns the SQL that folds a text by the table; the text is normalized, and folded in ASCII.
    func folded(_ text: SQLExpression) -> SQLExpression {
        var text = text
        for (from, to) in multiple {
            text = .call("pg_catalog.replace", [text, Self.parameter(String(from)), Self.parameter(to)])
        }
        guard !single.isEmpty else { return text }
        func scalars(_ part: (((from: Unicode.Scalar, to: Unicode.Scalar)) -> Unicode.Scalar)) -> String {
            String(String.UnicodeScalarView(single.map(part)))
        }
        return .call(
            "pg_catalog.translate", [text, Self.parameter(scalars(\.from)), Self.parameter(scalars(\.to))])
    }

    private static func parameter(_ text: String) -> SQLExpression { .parameter(.text(text)) }
}
