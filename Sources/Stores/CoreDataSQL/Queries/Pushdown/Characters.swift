import CoreDataStore

/// Regular expressions of a database for one character as Swift divides texts (an extended grapheme cluster).
///
/// The classes are computed with Swift's own segmentation. Scalars that join by special rules (conjoining Hangul,
/// flags, Indic conjuncts, scalars that join the letter after them) are rare; texts with them are in doubt.
enum Characters {
    static let joiner: Unicode.Scalar = "\u{200D}"

    /// The scalars that belong to the character before them.
    private static let following = ScalarClass(where: follows)
    /// The pictographs that a zero-width joiner joins with each other.
    private static let pictures = ScalarClass(where: isPicture)

    private static func follows(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .format, .modifierSymbol, .modifierLetter, .otherLetter:
            return isOne("a", scalar)
        default: return false
        }
    }

    static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0xA9 else { return false }
        switch scalar.properties.generalCategory {
        case .otherSymbol, .mathSymbol, .unassigned, .dashPunctuation, .otherPunctuation, .modifierSymbol:
            return isOne(scalar, joiner, "\u{1F469}")
        default: return false
        }
    }

    private static func isOne(_ scalars: Unicode.Scalar...) -> Bool {
        String(String.UnicodeScalarView(scalars)).count == 1
    }

    /// Matches one character.
    static let one: String = {
        let (following, pictures) = (Self.following.ranges, Self.pictures.ranges)
        return "(?:\r\n|\r(?!\n)|\u{1}[\u{1}\u{2}]|(?:[^\u{1}\r\(following)\(pictures)]|(?<!\(joiner))[\(pictures)])"
            + "[\(following)]*(?:(?<=\(joiner))[\(pictures)][\(following)]*)*)"
    }()

    /// Finds scalars that join by special rules, and marks that follow no base character.
    static let rare: String = {
        let own = ScalarClass(where: joinsByItsOwnRules)
        let (following, pictures) = (Self.following.ranges, Self.pictures.ranges)
        let alone = "(?:^|[\u{1}-\u{1F}\u{7F}-\u{9F}\(controls.ranges)])[\(following)]"
        return "[\(own.ranges)]|\(alone)|[^\(following)\(pictures)][\(following)]*\(joiner)[\(pictures)]"
            + "|[\(spacing.ranges)]\(joiner)[\(pictures)]"
    }()

    private static let spacing = ScalarClass { $0.properties.generalCategory == .spacingMark }
    /// The scalars that end a character, whatever follows them.
    private static let controls = ScalarClass { scalar in
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .format, .unassigned: !isOne(scalar, "\u{301}")
        default: false
        }
    }

    private static func joinsByItsOwnRules(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7C6, 0xD7CB...0xD7FB, 0x1F1E6...0x1F1FF: return true
        default: break
        }
        // Viramas, and scalars that join the letter after them.
        return scalar.properties.canonicalCombiningClass == .init(rawValue: 9)
            || (isOne(scalar, "a") && scalar.properties.generalCategory != .unassigned)
    }

    /// Finds scalars that case folding expands to several.
    static let growing: String = {
        let multiple = FoldingTable.composed.multiple.map(\.from.value)
        return ScalarClass(multiple.sorted()).bracket
    }()

    /// Whether texts that contain this character of a pattern are in doubt.
    static func isRare(_ character: Character) -> Bool {
        guard let first = character.unicodeScalars.first else { return true }
        return character.unicodeScalars.contains { !$0.isASCII && joinsByItsOwnRules($0) } || follows(first)
            || first == joiner
            || (first.isASCII && (first.value < 0x20 || first.value == 0x7F))
            || (first.value >= 0x80 && first.value < 0xA0)
    }
}
