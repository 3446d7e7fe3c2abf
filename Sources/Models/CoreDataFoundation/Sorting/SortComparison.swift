/// How a sort descriptor compares two values.
package enum SortComparison {
    case standard
    case caseInsensitive
    case localized
    case localizedCaseInsensitive
    case localizedStandard
    /// A name outside the list: memory stores report it, an SQL store may know a collation of that name.
    case named(String)
    case block(Comparator)

    package init(name: String) {
        self = Self.predefined[name] ?? .named(name)
    }

    /// The name that Apple's selector has; nil for a block.
    package var name: String? {
        switch self {
        case .standard: "compare:"
        case .caseInsensitive: "caseInsensitiveCompare:"
        case .localized: "localizedCompare:"
        case .localizedCaseInsensitive: "localizedCaseInsensitiveCompare:"
        case .localizedStandard: "localizedStandardCompare:"
        case .named(let name): name
        case .block: nil
        }
    }

    private static var predefined: [String: SortComparison] {
        let all: [SortComparison] = [
            .standard, .caseInsensitive, .localized, .localizedCaseInsensitive, .localizedStandard,
        ]
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name ?? "", $0) })
    }
}

/// What a sort descriptor says, whichever way it was made.
package struct Sorting {
    /// The key or key path as text; nil for a Swift key path that has not been named, and for a descriptor of entire
    /// objects.
    package let key: String?
    package let ascending: Bool
    package let comparison: SortComparison
    /// The Swift key path of a descriptor made with one, to be named by a property table.
    package let keyPath: AnyKeyPath?
    /// What a descriptor ranks by, in place of a key.
    package var rank: SearchRank?
}
