import CoreData

/// What the error of a refused save says of one object, and the values that were to be saved.
struct Refusal: CustomStringConvertible {
    /// The conflict's description: the object, the versions, and the properties with who changed them.
    let summary: String
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
        summary = conflict.description
        isTemporary = source.objectID.isTemporaryID
        isDeleted = conflict.newVersionNumber == 0
        oldVersion = conflict.oldVersionNumber
        newVersion = conflict.newVersionNumber
        changes = source.changedValues().mapValues { "\($0)" }
    }

    var description: String {
        let wanted = changes.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }.joined(separator: ", ")
        return "\(summary)\(isTemporary ? " (never saved)" : ""); wanted: \(wanted)"
    }
}
