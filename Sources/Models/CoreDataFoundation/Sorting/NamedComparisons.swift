import Synchronization

extension NSSortDescriptor {
    /// Registers a comparison of texts under a name, by which sort descriptors use it in memory and in every store.
    ///
    /// The name has the form of a selector, such as `weekdayCompare:`; the process stops if it does not end with a
    /// colon or is a name of Core Data's. The comparison must be a total order that never changes, and may be called on
    /// any thread.
    public static func registerComparison(
        _ name: Selector, _ comparison: @escaping @Sendable (String, String) -> ComparisonResult
    ) {
        guard case .named(let text) = SortComparison(name: name.name), text.hasSuffix(":"), text.count > 1 else {
            stop("NSSortDescriptor: \"\(name)\" cannot be the name of a comparison of one's own")
        }
        NamedComparisons.register(text, comparison)
    }

    /// Whether there is a comparison of a name: one of Core Data's, or a registered one.
    package static func hasComparison(named name: String) -> Bool {
        guard case .named = SortComparison(name: name) else { return true }
        return NamedComparisons.comparison(named: name) != nil
    }

    /// The locale of localized comparisons, in memory and in every store; nil for `Locale.current`.
    ///
    /// On Linux, open-source Foundation's `Locale.current` does not depend on the system's settings. Set it before the
    /// first fetch, on any thread; rows that are already sorted are not sorted again.
    public static var localizedComparisonLocale: Locale? {
        get { NamedComparisons.locale }
        set { NamedComparisons.locale = newValue }
    }
}

/// The registered comparisons, and the locale of Core Data's localized ones.
package enum NamedComparisons {
    package typealias Comparison = @Sendable (String, String) -> ComparisonResult

    /// Guards the comparisons and the locale.
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
