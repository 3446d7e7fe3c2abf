import CoreData

/// Which two stores are compared, and how.
struct ComparisonQuestion: Hashable, Sendable {
    /// The numbers of the stores in addresses.
    let left: String
    let right: String
    /// The rule by which two objects count as the same, as in `coredata compare --by`; nil for the default rule.
    let by: String?
    /// The entities that are compared; all where none is named.
    let entities: [String]

    /// - Throws: `BrowserFailure` 400 where a store is not named.
    init(_ query: [String: String]) throws {
        guard let left = query["left"], let right = query["right"], !left.isEmpty, !right.isEmpty else {
            throw BrowserFailure.badRequest(
                "'left' and 'right' do not name the two stores", hint: "by their numbers: left=1&right=2")
        }
        (self.left, self.right) = (left, right)
        by = query["by"].flatMap { $0.isEmpty ? nil : $0 }
        entities = ObjectQuery.list(query["entities"])
    }

    private init(left: String, right: String, by: String?, entities: [String]) {
        (self.left, self.right, self.by, self.entities) = (left, right, by, entities)
    }

    /// The same question with the two stores exchanged.
    var reversed: ComparisonQuestion {
        ComparisonQuestion(left: right, right: left, by: by, entities: entities)
    }

    /// Opens the comparison of two stores.
    ///
    /// - Throws: `InspectionError` for an entity or a key that a model does not have.
    func comparison(_ left: OpenStore, _ right: OpenStore) throws -> StoreComparison {
        let rule: ComparisonRule = try by.map { .match(try MatchRule($0)) } ?? .usual
        return try StoreComparison(left, right, by: rule, entities: entities)
    }
}

/// A store's file, which comparisons and copies open for themselves, apart from the store that the browser reads.
struct StoreFileAccess: Sendable {
    let url: URL
    let model: URL?

    /// - Throws: `InspectionError` as `OpenStore` does.
    func opened(for use: StoreUse) throws -> OpenStore { try OpenStore(at: url, model: model, for: use) }
}

extension BrowsedStore {
    /// - Throws: `BrowserFailure`: 403 for a user who may not read everything, 422 for a store that is not a file.
    func comparedFile(for access: BrowserAccess) throws -> StoreFileAccess {
        try requireFile()
        try requireReadingAll(for: access, "a comparison reports", hint: "ask who runs the browser")
        return StoreFileAccess(url: try storeFile("there is nothing to compare"), model: model)
    }
}

extension DifferenceList.Filter {
    /// Makes a filter of the texts that `text` returns for `entity` and `kind`.
    ///
    /// - Throws: `BrowserFailure` 400 for an unknown kind.
    init(_ text: (String) throws -> String?) throws {
        let kind = try text("kind").map { name in
            guard let kind = StoreDifference.Kind(rawValue: name) else {
                throw BrowserFailure.badRequest(
                    "there is no kind of difference '\(name)'",
                    hint: StoreDifference.Kind.allCases.map(\.rawValue).joined(separator: ", "))
            }
            return kind
        }
        self.init(entity: try text("entity"), kind: kind)
    }
}
