import CoreDataStore

/// What a context had changed of an object when a conflict of it was found, and the conflict's description made of it.
///
/// It is read from the object when the conflict is made, so that the description can be printed on any thread.
struct ConflictingChange {
    private enum Side: String, CaseIterable {
        case both, store, context
    }

    /// The names of the changed properties: stored attributes and relationships.
    private let names: Set<String>
    private let isDeletion: Bool
    private let isInChild: Bool

    init(of object: NSManagedObject) {
        isDeletion = object.isMarkedDeleted
        // A deletion also takes the object out of its relationships.
        names = isDeletion ? [] : object.changedStoredNames
        isInChild = object.registry?.context?.parent != nil
    }

    func text(of conflict: NSMergeConflict) -> String {
        let (old, new) = (conflict.oldVersionNumber, conflict.newVersionNumber)
        let head = conflict.sourceObject.objectID.entityAndKey + ", "
        guard new != 0 else { return head + "deleted in the " + (isInChild ? "parent context" : "store") }
        let others = Self.differences(of: conflict)
        let changes = (isDeletion ? ["deleted in the context"] : []) + listed(others ?? [])
        let version = old == new ? "version \(new)" : "version \(old) to \(new)"
        // Snapshots that do not differ leave the new version unexplained.
        let isUnexplained = others?.isEmpty == true && old != new
        let parts = [
            changes.joined(separator: ", "),
            isUnexplained
                ? "in the store no attribute differs: a to-many relationship or equal values were written" : "",
        ].filter { !$0.isEmpty }
        return head + version + (parts.isEmpty ? "" : ": " + parts.joined(separator: "; "))
    }

    /// The names with the side that changed them, those that both changed first.
    private func listed(_ others: Set<String>) -> [String] {
        Side.allCases.flatMap { side in
            let matching =
                switch side {
                case .both: names.intersection(others)
                case .store: others.subtracting(names)
                case .context: names.subtracting(others)
                }
            return matching.sorted().map { "\($0) (\(side))" }
        }
    }

    /// The names of the properties whose values in the store differ from those that the context read; nil if the conflict
    /// lacks one of the two.
    private static func differences(of conflict: NSMergeConflict) -> Set<String>? {
        guard let read = conflict.objectSnapshot, !read.isEmpty,
            let stored = conflict.persistedSnapshot ?? conflict.cachedSnapshot
        else { return nil }
        let attributes = conflict.sourceObject.entity.attributesByName
        let differing = stored.filter { name, value in
            read[name].map { !areEqual($0, value, attributes[name]) } ?? false
        }
        return Set(differing.keys)
    }

    /// Whether two values of a property are stored as the same. Values of a transformable attribute may have no equality,
    /// and are then compared by their bytes.
    private static func areEqual(_ one: Any, _ other: Any, _ attribute: NSAttributeDescription?) -> Bool {
        if StoredEquality.areEqual(one, other) { return true }
        guard let attribute, attribute.attributeType == .transformableAttributeType, !(one is NSNull),
            !(other is NSNull), let bytes = try? Transformation.data(from: one, attribute)
        else { return false }
        return bytes == (try? Transformation.data(from: other, attribute))
    }
}

extension NSManagedObject {
    /// The names of the stored properties that have other values or members than the snapshot.
    fileprivate var changedStoredNames: Set<String> {
        guard let working else { return [] }
        let changed = layout.places.filter { _, place in
            switch place {
            case .attribute(let slot), .toOne(let slot):
                slot < layout.storedCount && working.isChanged(slot) && !isEqualToCommitted(slot)
            case .toMany(let number): toManyLinks(number)?.hasChanges == true
            case .fetched: false
            }
        }
        return Set(changed.keys)
    }
}

extension NSManagedObjectID {
    /// The last two parts of the URI: `Song/p1`.
    var entityAndKey: String {
        // The reference of an object in a store of the program's own may contain an encoded slash.
        uriRepresentation().absoluteString.split(separator: "/").suffix(2).joined(separator: "/")
    }
}
