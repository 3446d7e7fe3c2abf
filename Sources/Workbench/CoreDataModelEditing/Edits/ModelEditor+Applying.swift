import CoreDataModeling

extension ModelEditor {
    /// Applies an edit.
    ///
    /// - Throws: `ModelEditError`, or `ModelingError` for text that XML cannot express; the document is then unchanged.
    package mutating func apply(_ edit: ModelEdit) throws {
        var editor = self
        switch edit {
        case .add(let kind, let item, let settings): try editor.add(kind, item: item, settings: settings)
        case .set(let item, let settings): try editor.set(settings, of: item)
        case .rename(let item, let name, let keepsIdentity):
            try editor.rename(item, to: name, keepsIdentity: keepsIdentity)
        case .remove(let item, let withReferences): try editor.remove(item, withReferences: withReferences)
        case .move(let item, let target): try editor.move(item, to: target)
        }
        self = editor
    }
}
