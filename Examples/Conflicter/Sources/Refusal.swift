import CoreData

/// What the error of a refused save says of one object, in words and values.
struct Refusal: CustomStringConvertible {
    /// The object's identifier and entity.
    let object: String
    /// Whether the identifier is a temporary one, since the object was never saved.
    let isTemporary: Bool
    /// Whether somebody else deleted the record.
    let isDeleted: Bool
    let oldVersion: Int
    let newVersion: Int
    /// What the context wanted to save.
    let changes: [String: String]

    init(_ conflict: NSMergeConflict) {
        let source = conflict.sourceObject
        object = "\(source.entity.name ?? "") \(source.objectID.uriRepresentation().lastPathComponent)"
        isTemporary = source.objectID.isTemporaryID
        isDeleted = conflict.newVersionNumber == 0
        oldVersion = conflict.oldVersionNumber
        newVersion = conflict.newVersionNumber
        changes = source.changedValues().mapValues { "\($0)" }
    }

    var description: String {
        let fate = isDeleted ? "was deleted elsewhere" : "has version \(newVersion) by now"
        let name = isTemporary ? "\(object) (never saved)" : object
        let wanted = changes.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }.joined(separator: ", ")
        return "\(name), changed at version \(oldVersion), \(fate); wanted: \(wanted)"
    }
}
