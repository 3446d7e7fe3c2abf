/// How a sort descriptor compares two values.
package enum SortComparison {
    case standard
    case caseInsensitive
    case localized
    case localizedCaseInsensitive
    case localizedStandard
    /// A name that is not predefined: a registered comparison or, in an SQL store, a collation; memory stores throw
    /// otherwise.
    case named(String)
    case block(Comparator)

    package init(name: String) {
        self = Self.predefined[name] ?? .named(name)
    }

    /// The name of Apple's selector; nil for a block.
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

/// The settings of a sort descriptor of any class.
package struct Sorting {
    /// The key or key path; nil for a Swift key path, for a rank, and for a descriptor that compares entire objects.
    package let key: String?
    package let ascending: Bool
    package let comparison: SortComparison
    /// The Swift key path of a descriptor made with one, which a property table may name.
    package let keyPath: AnyKeyPath?
    /// The rank of a search by which the descriptor sorts in place of a key.
    package var rank: SearchRank?
}
