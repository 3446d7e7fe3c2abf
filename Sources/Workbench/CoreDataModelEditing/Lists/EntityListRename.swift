import CoreDataModeling

/// Renames an entity in the property lists of an application; only `Application.plist` names entities.
package struct EntityListRename {
    private let (name, newName): (String, String)
    /// The change of `Application.plist`; empty if its text does not change.
    package private(set) var changes: [FileChange] = []
    /// Sentences about files that could not be changed.
    package private(set) var notes: [String] = []

    /// Finds the changes in the application in a folder, without writing them.
    ///
    /// - Throws: `ModelingError` if the folder does not contain an application.
    package init(of name: String, to newName: String, folder: URL) throws {
        (self.name, self.newName) = (name, newName)
        let url = folder.appendingPathComponent("Application.plist")
        switch try ListFile(url, in: folder) {
        case .kept(let note): notes = [note]
        case .read(let before, let list):
            let found = (list.root["lists"]?.elements ?? []).flatMap(places)
            guard !found.isEmpty else { return }
            let after = list.replacing(found.map { ($0, newName) })
            changes = [FileChange(url, before: before, after: Data(after.utf8))]
        }
    }

    /// The places of a list that name the entity: its `entity`, those of its `kinds`, and the keys of its `details`.
    private func places(_ list: ListText.Node) -> [Range<String.Index>] {
        let named = [list["entity"]] + (list["kinds"]?.elements ?? []).map { $0["entity"] }
        let values = named.compactMap { node -> Range<String.Index>? in
            guard case .text(name, let place)? = node else { return nil }
            return place
        }
        return values + (list["details"]?.members ?? []).filter { $0.key == name }.map(\.place)
    }
}
