import CoreData
import CoreDataModelCompiler
import CoreDataModelEditing

/// The folders of files that use the names of a model's entities and properties, in which a rename is applied too.
package struct FollowingFolders: Sendable {
    /// Sources that `SourceGeneration` wrote.
    package let code: [URL]
    /// Applications of property lists.
    package let lists: [URL]

    package init(code: [URL] = [], lists: [URL] = []) {
        self.code = code
        self.lists = lists
    }

    package var isEmpty: Bool { code.isEmpty && lists.isEmpty }

    /// Whether renaming an item also changes files of the folders.
    package static func follow(_ item: SourceItem) -> Bool {
        switch item {
        case .entity, .property: true
        default: false
        }
    }

    /// The changes of files that a rename of an entity or a property requires, and sentences about what is left to do.
    ///
    /// Nothing is written. A link that leads out of its folder is not followed.
    /// - Throws: `ModelingError` or `ModelEditError` if a file cannot be read or an application is missing.
    package func renaming(
        _ item: SourceItem, to newName: String, from before: ModelDocument, to after: ModelDocument
    ) throws -> (changes: [FileChange], notes: [String]) {
        var changes: [FileChange] = []
        var notes: [String] = []
        for folder in code {
            let sources = try SourceRegeneration(
                in: folder, from: before.makeModel().model, to: after.makeModel().model)
            changes += sources.changes
            let written = Set(sources.changes.map(\.url.lastPathComponent))
            notes += sources.notes
            notes += SourceRegeneration.mentions(of: item.name, in: folder, except: written).map {
                "\($0) has '\(item.name)'"
            }
        }
        for folder in lists {
            switch item {
            case .property(let name, let entity):
                let lists = try ListRename(of: name, in: entity, to: newName, before, folder: folder)
                changes += lists.changes
                notes += lists.notes
            case .entity(let name):
                let lists = try EntityListRename(of: name, to: newName, folder: folder)
                changes += lists.changes
                notes += lists.notes
            default: break
            }
        }
        return (changes, notes)
    }

    /// The paths of the folders.
    var json: JSONValue { .array((code + lists).map { .string($0.path) }) }
}
