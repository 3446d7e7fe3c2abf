/// A change of a model source, which `ModelEditor` applies.
package enum ModelEdit: Hashable, Sendable {
    /// Adds an item with the settings that Xcode gives a new one, then sets options of the item.
    case add(SourceItemKind, SourceItem, [OptionSetting])
    case set(SourceItem, [OptionSetting])
    /// Renames an item and updates the other items that name it. With `keepsIdentity`, the old name becomes the
    /// renaming identifier, if the item has none, so that migration keeps the item's data.
    case rename(SourceItem, to: String, keepsIdentity: Bool)
    /// Removes an item. Fails if other items require it, unless `withReferences`, which removes these items too and
    /// gives subentities of a removed entity its parent.
    case remove(SourceItem, withReferences: Bool)
    /// Changes the parent of an entity (`.` for none), or moves a property to another entity.
    case move(SourceItem, to: String)

    /// The item that is edited.
    package var item: SourceItem {
        switch self {
        case .add(_, let item, _), .set(let item, _), .rename(let item, _, _), .remove(let item, _),
            .move(let item, _):
            item
        }
    }
}

extension ModelEdit: CustomStringConvertible {
    /// The edit as a line that `init(_:)` parses, with quotes around the words that need them.
    package var description: String {
        let words: [String] =
            switch self {
            case .add(let kind, let item, let settings):
                ["add", kind.rawValue, "\(item)"] + settings.map { "\($0.name)=\($0.value ?? "")" }
            case .set(let item, let settings): ["set", "\(item)"] + settings.map { "\($0.name)=\($0.value ?? "")" }
            case .rename(let item, let name, let keepsIdentity):
                ["rename", "\(item)", name] + (keepsIdentity ? ["--keep-identity"] : [])
            case .remove(let item, let withReferences):
                ["remove", "\(item)"] + (withReferences ? ["--with-references"] : [])
            case .move(let item, let target): ["move", "\(item)", target]
            }
        return words.map(EditWords.quoted).joined(separator: " ")
    }
}
