import CoreDataStore

/// A parent's answers to queries of its children: its objects' present values, saved or not. Called on the parent's
/// queue.
extension NSManagedObjectContext {
    /// Returns the row with the present values of a record; nil if it does not exist, or is deleted in this context.
    func presentRow(_ requested: RowAddress) throws -> RowSnapshot? {
        let address = localAddress(requested)
        if let known = registry.object(table: address.binding.table, key: address.key) { return try known.presentRow() }
        return canAsk(for: address.binding) ? try dataSource.row(address.binding, key: address.key) : nil
    }

    /// Returns the rows with the present values of records, in any order; missing or deleted ones are left out.
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

    /// Whether a record that is not registered in this context can be read: an unsaved one only from a parent.
    private func canAsk(for binding: EntityBinding) -> Bool { !binding.isTemporary || parent != nil }

    /// Returns the members that a relationship of a child's object has in this context.
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

    /// Returns this context's object for a child's object, and makes a fault if none is registered; nil for an unsaved
    /// object that this context does not have and has no parent to ask for.
    func counterpart(of child: NSManagedObject) -> NSManagedObject? {
        let address = localAddress(RowAddress(binding: child.binding, key: child.key))
        if let known = registry.object(table: address.binding.table, key: address.key) { return known }
        return canAsk(for: address.binding) ? object(at: address) : nil
    }
}

extension NSManagedObject {
    /// Returns the present values as a row; nil if the object is deleted, or its record is gone.
    ///
    /// A fault's row is read again: the row that it may have kept could be outdated or deleted.
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

    /// Returns the present values without reading; nil for an unchanged fault without a row.
    func rowAtHand() throws -> RowSnapshot? { isFault && !hasStoredChanges ? rowIfRead : try presentRow() }

    /// Whether the object is an unchanged fault, whose row can be read together with others.
    fileprivate var isUnreadFault: Bool {
        isFault && !isDeleted && !flags.contains(.inaccessible) && !hasStoredChanges
    }

    private var rowIfRead: RowSnapshot? { slab.map { RowSnapshot(slab: $0, index: Int(rowIndex)) } }

    private var hasStoredChanges: Bool {
        guard let working else { return false }
        return (0..<layout.storedCount).contains(where: working.isChanged)
    }
}
