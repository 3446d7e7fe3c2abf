import CoreData

/// The reason why a store is not migrated, with Core Data's error code.
package struct MigrationRefusal: Error, CustomStringConvertible {
    package typealias Item = (item: ModelItem, reason: String, hint: String?)

    /// A migration error code of Core Data (134110 to 134190), or the code of the error that another operation threw.
    package let code: Int
    package let store: URL
    package let cause: String
    /// The entities, properties and constraints that prevent the migration.
    package let items: [Item]
    package let hint: String?

    init(_ code: Int, store: URL, cause: String, items: [Item] = [], hint: String? = nil) {
        self.code = code
        self.store = store
        self.cause = cause
        self.items = items
        self.hint = hint
    }

    /// Refuses a migration without a mapping model because of changes that cannot be inferred.
    init(obstacles: [MigrationAnalysis.Finding], store: URL) {
        let texts = obstacles.prefix(10).map { "\($0.item.kind.rawValue) \($0.item.path): \($0.reason)" }
        let more = obstacles.count > texts.count ? "; and \(obstacles.count - texts.count) more" : ""
        self.init(
            MigrationAnalysis.refusalCode(obstacles), store: store,
            cause: "a migration cannot be inferred: " + texts.joined(separator: "; ") + more,
            items: obstacles.map { ($0.item, $0.reason, $0.hint) },
            hint: obstacles.lazy.compactMap(\.hint).first)
    }

    /// Converts an error that a migration threw; a `MigrationRefusal` stays as it is.
    init(_ error: any Error, store: URL) {
        if let refusal = error as? MigrationRefusal {
            self = refusal
            return
        }
        let error = error as NSError
        let cause = error.localizedDescription.replacing("The store '\(store.place)' ", with: "the store ")
        self.init(
            error.code, store: store, cause: cause.hasSuffix(".") ? String(cause.dropLast()) : cause,
            items: Self.items(of: error),
            hint: error.localizedRecoverySuggestion.map(ErrorText.forCommandLine))
    }

    /// The attribute whose numbers are out of range, or the violated constraint; empty if the error names neither.
    private static func items(of error: NSError) -> [Item] {
        let info = error.userInfo
        guard let entity = info["entity"] as? String else { return [] }
        let reason = error.localizedFailureReason ?? error.localizedDescription
        if let attribute = info["attribute"] as? String {
            return [(ModelItem(.attribute, attribute, of: entity), reason, nil)]
        }
        guard let constraint = info["constraint"] as? [String] else { return [] }
        return [(ModelItem(.constraint, constraint.joined(separator: ", "), of: entity), reason, nil)]
    }

    /// `STORE: cause (hint) [134190]` in one line.
    package var description: String {
        PrintableText.escaped("\(store.place): \(cause)" + (hint.map { " (\($0))" } ?? "") + " [\(code)]")
    }

    package var json: JSONValue {
        .object([
            ("code", .integer(Int64(code))), ("reason", .string(cause)), ("hint", .text(hint)),
            (
                "items",
                .array(
                    items.map {
                        .object($0.item.members + [("reason", .string($0.reason)), ("hint", .text($0.hint))])
                    })
            ),
        ])
    }
}
