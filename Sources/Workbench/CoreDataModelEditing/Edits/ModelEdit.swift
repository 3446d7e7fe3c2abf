/// One change of a model's source, as a value.
package enum ModelEdit: Hashable, Sendable {
    /// Makes an item as Xcode makes a fresh one, and sets options of it.
    case add(SourceItemKind, SourceItem, [OptionSetting])
    case set(SourceItem, [OptionSetting])
    /// Gives an item another name, also wherever others name it; with `keepsIdentity` stores can follow, since the old name
    /// becomes the renaming identifier.
    case rename(SourceItem, to: String, keepsIdentity: Bool)
    /// Removes an item; `withReferences` also removes what refers to it.
    case remove(SourceItem, withReferences: Bool)
    /// Gives an entity another parent, or a property to another entity.
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
    /// The edit in the words of the commands, with quotes where they are needed.
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
