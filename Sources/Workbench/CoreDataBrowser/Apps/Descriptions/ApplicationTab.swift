import CoreData

/// One way to show a list: the texts of its rows, their order and their sections.
struct ApplicationTab: Sendable {
    /// What names the sections of a list: the value of the section key or its first letter.
    enum SectionNaming: String, Sendable {
        case value
        case firstLetter
    }

    /// One sort key of the tab.
    struct Sorting: Sendable {
        let key: String
        let isAscending: Bool
        let comparison: String?

        var descriptor: NSSortDescriptor {
            guard let comparison else { return NSSortDescriptor(key: key, ascending: isAscending) }
            return NSSortDescriptor(key: key, ascending: isAscending, selector: Selector(comparison))
        }
    }

    var title: String
    var icon: String?
    /// The key paths whose texts, joined by blanks, are a row's title.
    var titleKeys: [String]
    var subtitleKeys: [String]
    /// Text that is shown before the subtitle.
    var subtitlePrefix: String?
    var sorting: [Sorting]
    var sectionKey: String?
    var sectionNaming = SectionNaming.value
    /// The names of the sections that come first, in this order; the others follow in the order of their values.
    var sectionOrder: [String]

    init?(_ node: ListNode, of entity: NSEntityDescription) {
        title = node.string("title") ?? ""
        icon = node.string("icon")
        titleKeys = Self.keys(node, one: "titleKey", several: "titleKeys", entity: entity)
        subtitleKeys = Self.keys(node, one: "subtitleKey", several: "subtitleKeys", entity: entity)
        subtitlePrefix = node.string("subtitlePrefix")
        sorting = node.nodes("sort").compactMap { Self.sorting($0, entity) }
        sectionKey = Self.keys(node, one: "sectionKey", several: nil, entity: entity).first
        sectionOrder = node.strings("sectionOrder")
        if let name = node.string("sectionBy") {
            if let naming = SectionNaming(rawValue: name) {
                sectionNaming = naming
            } else {
                node.note("sections are by 'value' or by 'firstLetter'", at: "sectionBy")
            }
        }
        if titleKeys.isEmpty {
            node.note("there is no key of the model for the title; the entity's label is shown", at: "titleKey")
        }
    }

    /// The tab of a list that has none: shows and sorts objects by the attribute that names them.
    init(of entity: NSEntityDescription) {
        let key = EntityLabel.key(of: entity)
        title = ""
        titleKeys = key.map { [$0] } ?? []
        subtitleKeys = []
        sorting = key.map { [Sorting(key: $0, isAscending: true, comparison: nil)] } ?? []
        sectionOrder = []
    }

    private static func keys(_ node: ListNode, one: String, several: String?, entity: NSEntityDescription)
        -> [String]
    {
        let listed = several.map { node.strings($0) } ?? []
        let given = listed.isEmpty ? (node.string(one).map { [$0] } ?? []) : listed
        return given.filter { ModelKeys.note($0, of: entity, at: listed.isEmpty ? one : several, of: node) }
    }

    private static func sorting(_ node: ListNode, _ entity: NSEntityDescription) -> Sorting? {
        guard let key = node.string("key"), ModelKeys.note(key, of: entity, at: "key", of: node) else { return nil }
        guard ModelKeys.isSortable(key, of: entity) else {
            node.note("rows cannot be sorted by '\(key)', which is not stored or holds no single value", at: "key")
            return nil
        }
        var comparison = node.string("comparison")
        if let name = comparison, !NSSortDescriptor.hasComparison(named: name) {
            node.note("the program has no comparison '\(name)'", at: "comparison")
            comparison = nil
        }
        return Sorting(key: key, isAscending: node.flag("ascending", default: true), comparison: comparison)
    }
}
