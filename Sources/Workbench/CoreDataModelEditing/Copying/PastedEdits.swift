import CoreDataModeling

/// Edits that create copied items, adapted to the model into which they are pasted.
package struct PastedEdits: Sendable {
    /// The adapted edits, whose added items have unused names.
    package private(set) var edits: [ModelEdit] = []
    /// Sentences about the items that were renamed and the settings that were omitted.
    package private(set) var notes: [String] = []
    /// The added items whose owners are not among the copied items.
    package private(set) var items: [SourceItem] = []

    private let document: ModelDocument
    private var renamed: [(old: SourceItem, new: SourceItem)] = []
    private var made: Set<SourceItem> = []

    /// Reads copied edits from a text and adapts them to a document; renames added items whose names are taken.
    ///
    /// - Parameter target: the entity or composite that receives copied properties; nil for the one with the name of
    ///   the properties' original owner.
    /// - Throws: `ModelEditError` if the text contains anything other than copied items.
    package init(_ text: String, into document: ModelDocument, target: SourceItem? = nil) throws {
        self.document = document
        let copied = try ModelEdit.edits(in: text)
        let all = Set(copied.compactMap(\.addedItem))
        for edit in copied {
            switch edit {
            case .add(let kind, let item, let settings):
                let isTop = !all.contains(item.owner)
                add(kind, item: isTop ? freed(item, target) : placed(item), settings: settings, isTop: isTop)
            case .set(let item, let settings): set(placed(item), settings)
            case .rename, .remove, .move:
                throw ModelEditError(
                    .malformedEdit, subject: "what is pasted", cause: "it holds '\(edit)', which makes nothing",
                    hint: "copy items of a model")
            }
        }
    }

    private mutating func add(
        _ kind: SourceItemKind, item: SourceItem, settings: [OptionSetting], isTop: Bool
    ) {
        made.insert(item)
        if isTop { items.append(item) }
        edits.append(.add(kind, item, kept(settings, of: item)))
    }

    private mutating func set(_ item: SourceItem, _ settings: [OptionSetting]) {
        let settings = kept(settings, of: item)
        if !settings.isEmpty { edits.append(.set(item, settings)) }
    }

    /// The item after the renamings so far, of itself or of an owner.
    private func placed(_ item: SourceItem) -> SourceItem {
        renamed.reduce(item) { $0.replacing($1.old, with: $1.new) }
    }

    /// The item with the target as owner and, if its name is taken, with an unused one such as `name2`; notes the
    /// renaming.
    private mutating func freed(_ item: SourceItem, _ target: SourceItem?) -> SourceItem {
        var place = item
        if let target, item.owner != .model, item.owner != target {
            place = item.replacing(item.owner, with: target)
        }
        place = placed(place)
        let bare = place
        var number = 2
        while document.contains(place) || made.contains(place), number < 10_000 {
            place = bare.renamed(bare.name + "\(number)")
            guard place != bare else { break }
            number += 1
        }
        guard place != item else { return item }
        renamed.append((item, place))
        if place.name != item.name { notes.append("'\(item)' became '\(place)', since the name is taken") }
        return place
    }

    // MARK: Options

    /// The settings with the new names of renamed items; omits and notes those that name items which do not exist.
    private mutating func kept(_ settings: [OptionSetting], of item: SourceItem) -> [OptionSetting] {
        settings.compactMap { setting in
            guard let value = setting.value else { return setting }
            switch setting.name {
            case "destination", "parent", "entity":
                let name = placed(.entity(value)).name
                guard isThere(.entity(name)) else { return left(setting, of: item) }
                return OptionSetting(setting.name, name)
            case "composite":
                let name = placed(.composite(value)).name
                return isThere(.composite(name)) ? OptionSetting(setting.name, name) : left(setting, of: item)
            case "inverse": return inverse(setting, of: item)
            case "class" where item.name != value: return className(setting, of: item)
            default: return setting
            }
        }
    }

    /// Keeps an inverse only if it is among the pasted items: a relationship of the document would lose its own
    /// inverse.
    private mutating func inverse(_ setting: OptionSetting, of item: SourceItem) -> OptionSetting? {
        guard let destination = destination(of: item), let value = setting.value else {
            return left(setting, of: item)
        }
        let inverse = placed(.property(value, entity: destination))
        return made.contains(inverse) ? OptionSetting(setting.name, inverse.name) : left(setting, of: item)
    }

    /// The destination that the adapted edits set for a pasted relationship; nil if they set none.
    private func destination(of item: SourceItem) -> String? {
        for case .set(item, let settings) in edits.reversed() {
            if let value = settings.first(where: { $0.name == "destination" })?.value { return value }
        }
        return nil
    }

    /// The setting of an entity's class: the entity's new name if the class had the name of the renamed entity.
    private func className(_ setting: OptionSetting, of item: SourceItem) -> OptionSetting {
        guard let old = renamed.first(where: { $0.new == item })?.old, old.name == setting.value else { return setting }
        return OptionSetting(setting.name, item.name)
    }

    private func isThere(_ item: SourceItem) -> Bool { made.contains(item) || document.contains(item) }

    private mutating func left(_ setting: OptionSetting, of item: SourceItem) -> OptionSetting? {
        notes.append("'\(item)' has no \(setting.name): '\(setting.value ?? "")' is not there")
        return nil
    }
}

extension ModelEdit {
    fileprivate var addedItem: SourceItem? {
        guard case .add(_, let item, _) = self else { return nil }
        return item
    }
}
