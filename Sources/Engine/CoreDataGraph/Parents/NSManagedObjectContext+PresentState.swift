import CoreDataStore

/// What a context answers its children: its objects as they are, saved or not. Called on the context's queue.
extension NSManagedObjectContext {
    /// The row of a record as the context has it; nil if it does not exist, or its object is deleted here.
    func presentRow(_ requested: RowAddress) throws -> RowSnapshot? {
        let address = localAddress(requested)
        if let known = registry.object(table: address.binding.table, key: address.key) { return try known.presentRow() }
        return canAsk(for: address.binding) ? try dataSource.row(address.binding, key: address.key) : nil
    }

    /// The rows of records as the context has them, in no order; those without one are left out.
    func presentRows(_ requested: [RowAddress]) throws -> [RowSnapshot] {
        var rows: [RowSnapshot] = []
        var unknown: [Int: (binding: EntityBinding, keys: [Int64])] = [:]
        for address in requested.lazy.map(localAddress) {
            if let known = registry.object(table: address.binding.table, key: address.key), !known.isUnreadFault {
                if let row = try known.presentRow() { rows.append(row) }
            } else if let row = dataSource.knownRow(address.binding, key: address.key, maximumAge: -1) {
                rows.append(row)
            } else if canAsk(for: address.binding) {
                unknown[address.binding.table, default: (address.binding, [])].keys.append(address.key)
            }
        }
        for (binding, keys) in unknown.values { rows += try dataSource.rows(binding, keys: keys) }
        return rows
    }

    /// Whether another context can know a record that is not registered here: an unsaved one only an ancestor.
    private func canAsk(for binding: EntityBinding) -> Bool { !binding.isTemporary || parent != nil }

    /// The members of a relationship of a child's object, as the context has them.
    func presentMembers(
        of relationship: NSRelationshipDescription, owner child: NSManagedObject
    ) throws -> [RowAddress] {
        guard let owner = counterpart(of: child), !owner.isDeleted,
            case .toMany(let number) = owner.layout.places[relationship.name]
        else { return [] }
        readingFailure = nil
        let members = owner.relatedObjects(number)
        if let readingFailure { throw readingFailure }
        return members.filter { !$0.isDeleted }.map { RowAddress(binding: $0.binding, key: $0.key) }
    }

    /// The object that this context has, or makes as a fault, for one of a child's; nil for one that was never saved and
    /// that is not here.
    func counterpart(of child: NSManagedObject) -> NSManagedObject? {
        let address = localAddress(RowAddress(binding: child.binding, key: child.key))
        if let known = registry.object(table: address.binding.table, key: address.key) { return known }
        return canAsk(for: address.binding) ? object(at: address) : nil
    }
}

extension NSManagedObject {
    /// The present values as a row; nil when the object is deleted, or its record is gone.
    ///
    /// A fault's are those that it would fire with: the row that it was fetched with may be another's by now, or gone.
    func presentRow() throws -> RowSnapshot? {
        guard !isDeleted, !flags.contains(.inaccessible) else { return nil }
        if isFault {
            guard hasStoredChanges else { return try registry?.context?.dataSource.row(binding, key: key) }
            guard try FaultResolver.fill(self) else { return nil }
            FaultResolver.awake(self)
        }
        guard let slab, flags.contains(.temporary) || hasStoredChanges else { return rowIfRead }
        var copier = RowCopier()
        return withExtendedLifetime(slab) { copier.row(of: self) }
    }

    /// The present values as far as they have been read already; nil where nothing has.
    func rowAtHand() throws -> RowSnapshot? { isFault && !hasStoredChanges ? rowIfRead : try presentRow() }

    /// Whether the object is a fault of which nothing was changed, so that its row may be read together with others.
    fileprivate var isUnreadFault: Bool {
        isFault && !isDeleted && !flags.contains(.inaccessible) && !hasStoredChanges
    }

    private var rowIfRead: RowSnapshot? { slab.map { RowSnapshot(slab: $0, index: Int(rowIndex)) } }

    private var hasStoredChanges: Bool {
        guard let working else { return false }
        return (0..<layout.storedCount).contains(where: working.isChanged)
    }
}
