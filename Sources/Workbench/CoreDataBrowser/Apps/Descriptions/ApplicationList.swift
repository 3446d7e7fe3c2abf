import CoreData

/// A list of an application: which objects it shows, in which ways, and what can be added.
struct ApplicationList: Sendable {
    /// What the + button of the list does.
    enum Adding: String, Sendable {
        /// The object is saved when its form is.
        case scratch
        /// The object is saved before its form opens.
        case saveFirst
        case none
    }

    /// One of several kinds of objects that + offers.
    struct Kind: Sendable {
        let entity: String
        let label: String
        let detail: String?
        /// The text attribute that a dialog asks for in place of a form.
        var nameKey: String?
    }

    /// The search field of the list: the keys that it searches, and the scopes that narrow the search.
    struct Search: Sendable {
        let keys: [String]
        let scopes: [(title: String, predicate: String)]
    }

    let entity: String
    let title: String
    let tabs: [ApplicationTab]
    /// The names of detail lists, by the name of the entity whose objects they show.
    let details: [String: String]
    let adding: Adding
    let kinds: [Kind]
    let batchSize: Int
    let cacheName: String?
    let predicate: String?
    let defaultsKey: String
    let search: Search?
    /// The to-one relationship to an object's parent, if rows open lists of their children. The first list shows the
    /// objects without a parent.
    let parentKey: String?
    /// The numeric attribute that stores the position of an object, as the user arranged the rows.
    let orderKey: String?
    let colorKey: String?
    /// Whether every other row is shaded.
    let shadesRows: Bool

    init?(_ node: ListNode, _ model: NSManagedObjectModel) {
        guard let name = node.string("entity") else {
            node.note("the list names no entity", at: "entity")
            return nil
        }
        guard let description = model.entitiesByName[name] else {
            let near = NameSuggestion(for: name, in: model.entitiesByName.keys)
            node.note(
                "the model has no entity '\(name)'" + (near.map { "; " + $0.question } ?? ""), at: "entity")
            return nil
        }
        entity = name
        title = node.string("title") ?? name
        let tabs = node.nodes("tabs").compactMap { ApplicationTab($0, of: description) }
        self.tabs = tabs.isEmpty ? [ApplicationTab(of: description)] : tabs
        details = Self.details(node, entity: description, model: model)
        kinds = Self.kinds(node, entity: description, model: model)
        adding = Self.adding(node, hasForm: !details.isEmpty || kinds.contains { $0.detail != nil })
        batchSize = node.number("batchSize", default: 20, in: 1...1_000)
        cacheName = node.string("cacheName")
        predicate = Self.predicate(node, key: "predicate", entity: description)
        defaultsKey = node.string("defaultsKey") ?? "Selected Tab"
        search = Self.search(node, description)
        parentKey = Self.parentKey(node, description)
        orderKey = Self.orderKey(node, description)
        colorKey = node.string("rowColorKey").flatMap {
            ModelKeys.note($0, of: description, at: "rowColorKey", of: node) ? $0 : nil
        }
        shadesRows = node.flag("rowShading", default: false)
    }

    /// A list of an entity with default settings, for an application that describes no list.
    init(of entity: NSEntityDescription) {
        self.entity = entity.name ?? ""
        title = self.entity
        tabs = [ApplicationTab(of: entity)]
        (details, kinds, adding, batchSize, cacheName) = ([:], [], .scratch, 20, nil)
        (predicate, defaultsKey, search, parentKey, orderKey) = (nil, "Selected Tab", nil, nil, nil)
        (colorKey, shadesRows) = (nil, false)
    }

    private static func details(_ node: ListNode, entity: NSEntityDescription, model: NSManagedObjectModel)
        -> [String: String]
    {
        var found: [String: String] = [:]
        if let name = node.string("detail") { found[entity.name ?? ""] = name }
        guard let several = node.node("details") else { return found }
        for name in (several.value.dictionary ?? [:]).keys.sorted() {
            guard model.entitiesByName[name] != nil else {
                several.note("the model has no entity '\(name)'", at: name)
                continue
            }
            found[name] = several.string(name)
        }
        return found
    }

    private static func kinds(_ node: ListNode, entity: NSEntityDescription, model: NSManagedObjectModel)
        -> [Kind]
    {
        node.nodes("kinds").compactMap { kind in
            guard let name = kind.string("entity"), let found = model.entitiesByName[name],
                found.isKindOf(entity: entity),
                !found.isAbstract
            else {
                kind.note("the list cannot show and make objects of the entity", at: "entity")
                return nil
            }
            return Kind(
                entity: name, label: kind.string("label") ?? "Add \(name)", detail: kind.string("detail"),
                nameKey: nameKey(kind, found))
        }
    }

    private static func nameKey(_ kind: ListNode, _ entity: NSEntityDescription) -> String? {
        guard let key = kind.string("nameKey") else { return nil }
        guard let attribute = entity.attributesByName[key], attribute.attributeType == .stringAttributeType,
            !attribute.isTransient
        else {
            kind.note("'\(key)' is not a stored text of \(entity.name ?? "")", at: "nameKey")
            return nil
        }
        return key
    }

    private static func adding(_ node: ListNode, hasForm: Bool) -> Adding {
        let standard = hasForm ? Adding.scratch : .saveFirst
        guard let name = node.string("add") else { return standard }
        guard let adding = Adding(rawValue: name) else {
            node.note("'add' is 'scratch', 'saveFirst' or 'none'", at: "add")
            return standard
        }
        return adding
    }

    private static func predicate(_ node: ListNode, key: String, entity: NSEntityDescription) -> String? {
        guard let text = node.string(key) else { return nil }
        do {
            _ = try AppPredicate.parsed(text, of: entity, now: Date(timeIntervalSinceReferenceDate: 0))
            return text
        } catch {
            node.note(ErrorText.line(for: error), at: key)
            return nil
        }
    }

    private static func search(_ node: ListNode, _ entity: NSEntityDescription) -> Search? {
        guard let search = node.node("search") else { return nil }
        let keys = search.strings("keys").filter { key in
            guard ModelKeys.note(key, of: entity, at: "keys", of: search) else { return false }
            guard ModelKeys.isSortable(key, of: entity) else {
                search.note("'\(key)' is not a stored text", at: "keys")
                return false
            }
            return true
        }
        let scopes = search.nodes("scopes").compactMap { scope -> (String, String)? in
            guard let title = scope.string("title") else {
                scope.note("the scope has no title", at: "title")
                return nil
            }
            let hadText = scope.string("predicate") != nil
            let text = predicate(scope, key: "predicate", entity: entity)
            return hadText && text == nil ? nil : (title, text ?? "")
        }
        return keys.isEmpty && scopes.isEmpty ? nil : Search(keys: keys, scopes: scopes)
    }

    private static func parentKey(_ node: ListNode, _ entity: NSEntityDescription) -> String? {
        guard let key = node.string("parentKey") else { return nil }
        guard let relationship = entity.relationshipsByName[key], !relationship.isToMany else {
            node.note("'\(key)' is not a to-one relationship of \(entity.name ?? "")", at: "parentKey")
            return nil
        }
        return key
    }

    private static func orderKey(_ node: ListNode, _ entity: NSEntityDescription) -> String? {
        guard let key = node.string("orderKey") else { return nil }
        let types: [NSAttributeType] = [
            .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType,
        ]
        guard let attribute = entity.attributesByName[key], types.contains(attribute.attributeType),
            !attribute.isTransient
        else {
            node.note("'\(key)' is not a stored number of \(entity.name ?? "")", at: "orderKey")
            return nil
        }
        return key
    }
}
