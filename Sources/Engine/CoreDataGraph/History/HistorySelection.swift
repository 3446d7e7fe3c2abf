import CoreDataStore

/// Which transactions or changes a history request finds besides its bound: the settings of its fetch request.
struct HistorySelection {
    enum Subject {
        case transactions
        case changes
    }

    /// A sort descriptor and the key path by which it sorts.
    struct Column {
        let path: String
        let sorting: Sorting
    }

    let subject: Subject
    let columns: [Column]
    private let predicate: NSPredicate?
    private let limit: Int
    private let offset: Int

    /// - Throws: `NSCoreDataError` for a request of another entity, and for a predicate or sort descriptor that does
    ///   not fit the entity.
    init(_ request: UntypedFetchRequest?) throws {
        subject = try Self.subject(of: request)
        predicate = request?.predicate
        limit = max(0, request?.fetchLimit ?? 0)
        offset = max(0, request?.fetchOffset ?? 0)
        let entity = Self.entity(of: subject)
        if let predicate { try PredicateReview.check(predicate, entity) }
        columns = try (request?.sortDescriptors ?? []).map { try Self.column($0.sorting, entity) }
    }

    /// At most how many transactions or changes of a store can be in the result; nil for no limit.
    ///
    /// With sort descriptors there is no limit, since the last one read may be the first of the result.
    var reach: Int? {
        guard limit > 0, columns.isEmpty else { return nil }
        let (sum, overflow) = offset.addingReportingOverflow(limit)
        return overflow ? nil : sum
    }

    /// Whether the result has everything that is found, in the order of reading.
    var isWhole: Bool { limit == 0 && offset == 0 && columns.isEmpty }

    /// The part of an ordered result that limit and offset select.
    func window<Element>(_ elements: [Element]) -> ArraySlice<Element> {
        let rest = elements.dropFirst(offset)
        return limit == 0 ? rest : rest.prefix(limit)
    }

    /// The predicate for the transactions or changes of one store: tokens are replaced by transaction numbers of the
    /// store, entities by their numbers, and properties by their names.
    func predicate(in store: NSPersistentStore, _ model: ModelLayout) throws -> NSPredicate? {
        try predicate.map { predicate in
            try ComparedConstants(of: Self.entity(of: subject)) { value, _, _ in
                switch value {
                // A store that the token does not know was added later, so all its transactions are newer.
                case let token as NSPersistentHistoryToken: token.numbers[store.identifier] ?? 0
                case let entity as NSEntityDescription: model.layout(of: entity)?.number ?? -1
                case let property as NSPropertyDescription: property.name
                default: nil
                }
            }.applied(to: predicate)
        }
    }

    // MARK: Reading the request

    private static func entity(of subject: Subject) -> NSEntityDescription {
        switch subject {
        case .transactions: HistoryEntities.shared.transaction
        case .changes: HistoryEntities.shared.change
        }
    }

    private static func subject(of request: UntypedFetchRequest?) throws -> Subject {
        guard let request else { return .transactions }
        let entities = HistoryEntities.shared
        if let entity = request.entity {
            if entity === entities.transaction { return .transactions }
            if entity === entities.change { return .changes }
        } else {
            if request.entityName == entities.transaction.name { return .transactions }
            if request.entityName == entities.change.name { return .changes }
        }
        throw CoreDataError.make(
            NSCoreDataError,
            "The fetch request of a history request is of entity '\(request.entityName ?? "")', not of one of history.",
            hint: "Begin with NSPersistentHistoryTransaction.fetchRequest or NSPersistentHistoryChange.fetchRequest.")
    }

    private static func column(_ sorting: Sorting, _ entity: NSEntityDescription) throws -> Column {
        guard sorting.rank == nil else {
            throw QueryRefusal.make(entity, key: nil, reason: "history cannot be sorted by the rank of a search")
        }
        guard let path = sorting.key ?? sorting.keyPath.flatMap(HistoryEntities.key(of:)) else {
            throw QueryRefusal.make(
                entity, key: nil, reason: "history cannot be sorted by the Swift key path of a sort descriptor")
        }
        try SortReview.checkSortable(path, by: sorting, entity)
        return Column(path: path, sorting: sorting)
    }
}

extension Sequence {
    /// The elements sorted by a request's sort descriptors, using a record of each; in their order if there are no
    /// descriptors.
    func sorted(by columns: [HistorySelection.Column], _ record: (Element) -> any KeyValueCoding) throws -> [Element] {
        guard !columns.isEmpty else { return Array(self) }
        return try sorted(by: columns.map(\.sorting)) { element, number in
            SortKey(try record(element).codedValue(forKeyPath: columns[number].path))
        }
    }
}
