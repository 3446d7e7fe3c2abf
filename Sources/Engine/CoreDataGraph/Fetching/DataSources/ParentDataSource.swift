import CoreDataStore

/// Reads from a parent context, including its unsaved changes; the parent reads from its own source what it does not
/// have.
final class ParentDataSource: FetchDataSource {
    private unowned let context: NSManagedObjectContext
    private let parent: NSManagedObjectContext

    init(context: NSManagedObjectContext, parent: NSManagedObjectContext) {
        self.context = context
        self.parent = parent
    }

    func knows(_ object: NSManagedObject) -> Bool { object.flags.isDisjoint(with: .unknownToParent) }

    func rowOfFault(_ object: NSManagedObject) throws -> RowSnapshot? {
        if object.slab == nil {
            try context.readAhead(of: object)
            if let slab = object.slab { return RowSnapshot(slab: slab, index: Int(object.rowIndex)) }
        }
        return try row(object.binding, key: object.key)
    }

    func row(_ binding: EntityBinding, key: Int64) throws -> RowSnapshot? {
        try context.ask(parent) {
            // Asking the parent may have given the record a permanent identifier in the context.
            try parent.presentRow(context.localAddress(RowAddress(binding: binding, key: key)))
        }
    }

    func knownRow(_ binding: EntityBinding, key: Int64, maximumAge: TimeInterval) -> RowSnapshot? { nil }

    func rows(_ binding: EntityBinding, keys: [Int64]) throws -> [RowSnapshot] {
        try context.ask(parent) {
            try parent.presentRows(keys.map { context.localAddress(RowAddress(binding: binding, key: $0)) })
        }
    }

    /// Rows of a parent are not cached.
    func forgetRow(of object: NSManagedObject) {}

    func members(of relationship: NSRelationshipDescription, owner: NSManagedObject) throws -> AddressList {
        let found = try context.ask(parent) { try parent.presentMembers(of: relationship, owner: owner) }
        return AddressList(found.map(context.localAddress))
    }

    func members(
        of relationship: NSRelationshipDescription, owners: [NSManagedObject]
    ) throws -> [ObjectIdentifier: [NSManagedObject]] {
        let found = try context.ask(parent) {
            let counterparts = owners.compactMap(parent.counterpart)
            try Prefetching(context: parent).prefetch(relationship, of: counterparts)
            return try withExtendedLifetime(counterparts) {
                try owners.map { try parent.presentMembers(of: relationship, owner: $0) }
            }
        }
        return Dictionary(
            zip(owners, found).map { owner, members in
                (ObjectIdentifier(owner), members.map { context.object(at: context.localAddress($0)) })
            }, uniquingKeysWith: { first, _ in first })
    }

    func ownersBreakingCount(
        of relationship: NSRelationshipDescription, among owners: [NSManagedObject]
    ) throws -> Set<ObjectIdentifier> {
        guard !context.mayHaveTakenMembers(of: relationship) else {
            return try context.readOwnersBreakingCount(of: relationship, among: owners)
        }
        return try context.ask(parent) { try parent.presentOwnersBreakingCount(of: relationship, among: owners) }
    }

    func answerers(of fetch: FetchExecution) -> [any FetchAnswering] { [ParentAnswer(fetch: fetch, parent: parent)] }
}

/// A parent's answer to a fetch, which includes the parent's unsaved changes.
private struct ParentAnswer: FetchAnswering {
    let fetch: FetchExecution
    let parent: NSManagedObjectContext

    func objects(limit: Int, offset: Int) throws -> [NSManagedObject] {
        let context = fetch.context
        let found = try context.ask(parent) {
            try execution(limit: limit, offset: offset).foundObjects().map { object in
                (address: RowAddress(binding: object.binding, key: object.key), row: try object.rowAtHand())
            }
        }
        let maker = RowMaterializer(context: context, request: fetch.request)
        if !fetch.request.includesPropertyValues {
            context.faultBatches.note(AddressList(found.map { context.localAddress($0.address) }))
        }
        return found.map { maker.object(at: context.localAddress($0.address), row: $0.row) }
    }

    func count(limit: Int, offset: Int) throws -> Int {
        try fetch.context.ask(parent) { try execution(limit: limit, offset: offset).count() }
    }

    /// Counts without firing faults of the parent.
    func count(among objects: [NSManagedObject]) throws -> Int {
        try fetch.context.ask(parent) {
            try execution(limit: 0, offset: 0).count(among: objects.compactMap(parent.counterpart))
        }
    }

    func piece(limit: Int) throws -> RecordPiece {
        try fetch.context.ask(parent) {
            let found = try execution(limit: limit, offset: 0).foundObjects()
            return .records(
                try found.map {
                    FoundRecord(RowAddress(binding: $0.binding, key: $0.key), row: try $0.rowAtHand())
                })
        }
    }

    func addresses(limit: Int, offset: Int) throws -> AddressList {
        let found = try fetch.context.ask(parent) { try execution(limit: limit, offset: offset).foundList().list }
        var list = AddressList()
        for place in 0..<found.count { list.append(fetch.context.localAddress(found[place])) }
        return list
    }

    func scan(_ column: SectionColumn) -> SectionScan? { nil }

    func source(limit: Int, offset: Int, for running: RunningSources) throws -> any RecordSource {
        let (parent, request) = (parent, request(limit: limit, offset: offset))
        return ParentRecords(of: parent, request)
    }

    private func execution(limit: Int, offset: Int) throws -> FetchExecution {
        try FetchExecution(request(limit: limit, offset: offset), in: parent)
    }

    /// The fetch request for the parent: includes the parent's unsaved changes, whether the child's are included or
    /// not.
    private func request(limit: Int, offset: Int) -> UntypedFetchRequest {
        let request = UntypedFetchRequest()
        fetch.request.copyValues(to: request)
        request.fetchLimit = limit
        request.fetchOffset = offset
        request.resultType = .managedObjectResultType
        request.includesPendingChanges = true
        request.returnsObjectsAsFaults = true
        request.relationshipKeyPathsForPrefetching = nil
        return request
    }
}

extension ObjectFlags {
    /// The flags of an object that the parent does not have: it was inserted here, or its record no longer exists.
    fileprivate static let unknownToParent: ObjectFlags = [.inserted, .inaccessible]
}
