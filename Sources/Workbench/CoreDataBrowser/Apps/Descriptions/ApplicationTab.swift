import CoreData

/// One way to show a list: texts, order and sections.
struct ApplicationTab: Sendable {
    /// What the sections of a list are named by.
    enum SectionNaming: String, Sendable {
        case value
        case firstLetter
    }

    /// One key of an order.
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
    /// The keys of the texts that make a row's title, with blanks between.
    var titleKeys: [String]
    var subtitleKeys: [String]
    /// What stands before the subtitle.
    var subtitlePrefix: String?
    var sorting: [Sorting]
    var sectionKey: String?
    var sectionNaming = SectionNaming.value
    /// The names of sections in their order, where it is not that of the values.
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

    /// The tab of a list without any: by the attribute that names objects.
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
