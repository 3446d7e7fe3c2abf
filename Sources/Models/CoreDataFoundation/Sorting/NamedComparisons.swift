import Synchronization

extension NSSortDescriptor {
    /// Gives a comparison of texts a name, under which sort descriptors find it in memory and in every store.
    ///
    /// The name has the form of a selector, such as `weekdayCompare:`; stops the process for one without a colon at its
    /// end and for the names that Core Data has. The comparison must be a total order that never changes, and may be
    /// called on any thread.
    public static func registerComparison(
        _ name: Selector, _ comparison: @escaping @Sendable (String, String) -> ComparisonResult
    ) {
        guard case .named(let text) = SortComparison(name: name.name), text.hasSuffix(":"), text.count > 1 else {
            stop("NSSortDescriptor: \"\(name)\" cannot be the name of a comparison of one's own")
        }
        NamedComparisons.register(text, comparison)
    }

    /// Whether sort descriptors find a comparison under a name: one of Core Data's, or a registered one.
    package static func hasComparison(named name: String) -> Bool {
        guard case .named = SortComparison(name: name) else { return true }
        return NamedComparisons.comparison(named: name) != nil
    }

    /// The locale by which localized comparisons sort, in memory and in every store; nil for the process's own.
    ///
    /// Open-source Foundation's `Locale.current` follows no setting of the system on Linux. To be set before the first
    /// fetch; rows that are already sorted stay as they are. Any thread.
    public static var localizedComparisonLocale: Locale? {
        get { NamedComparisons.locale }
        set { NamedComparisons.locale = newValue }
    }
}

/// The comparisons that sort descriptors can name beside Core Data's own, and the locale of the localized ones.
package enum NamedComparisons {
    package typealias Comparison = @Sendable (String, String) -> ComparisonResult

    /// Guards both.
    private static let state = Mutex<(comparisons: [String: Comparison], locale: Locale?)>(([:], nil))

    /// All comparisons by name.
    package static var all: [String: Comparison] { state.withLock { $0.comparisons } }

    package static func comparison(named name: String) -> Comparison? { state.withLock { $0.comparisons[name] } }

    static func register(_ name: String, _ comparison: @escaping Comparison) {
        state.withLock { $0.comparisons[name] = comparison }
    }

    static var locale: Locale? {
        get { state.withLock { $0.locale } }
        set { state.withLock { $0.locale = newValue } }
    }
}
