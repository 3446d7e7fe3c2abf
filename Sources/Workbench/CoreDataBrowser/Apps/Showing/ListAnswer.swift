import CoreData

/// Makes what a list shows: a window of rows, and the sections.
struct ListAnswer {
    /// What a call asks of a list.
    struct Question: Sendable {
        var tab = 0
        var search = ""
        var scope = 0
        var parent: String?
        var offset = 0
        var limit = 100
        let now: Date
        let language: String?
    }

    let app: BrowsedApp
    let list: ApplicationList
    let number: String
    let question: Question
    let reading: StoreReading
    let entity: NSEntityDescription
    private let tab: ApplicationTab
    private let parent: NSManagedObject?
    private let display: DisplayText

    init(_ app: BrowsedApp, number: String, question: Question, reading: StoreReading) throws {
        self.app = app
        self.number = number
        list = try app.list(number)
        self.question = question
        self.reading = reading
        entity = try reading.opened.entity(named: list.entity)
        guard list.tabs.indices.contains(question.tab) else {
            throw BrowserFailure(404, code: "unknownTab", reason: "the list has no tab \(question.tab)")
        }
        tab = list.tabs[question.tab]
        parent = try question.parent.map { try AppObjects.find($0, reading) }
        display = DisplayText(language: question.language, reader: reading.reader)
    }

    /// What the page answers.
    func json() throws -> JSONValue {
        let controller = try fetched()
        let areFlags = tab.sectionKey.map { BooleanSection.isNamed(by: $0, of: entity) } ?? false
        let sections = SectionWindow(controller, order: tab.sectionOrder, hasSections: tab.sectionKey != nil) { name in
            areFlags ? BooleanSection.value(name).flatMap { display.text(NSNumber(value: $0), .boolean) } : nil
        }
        let rows = sections.paths(question.offset..<question.offset + question.limit).map { section, path in
            row(controller.object(at: path), section)
        }
        return .object([
            ("app", .string(app.id)), ("list", .string(number)), ("entity", .string(list.entity)),
            ("title", .string(parent.map(display.label) ?? list.title)), ("tab", .count(question.tab)),
            ("tabs", .array(list.tabs.map(\.json))), ("parent", .text(question.parent)),
            ("scopes", .array((list.search?.scopes ?? []).map { .string($0.title) })),
            ("searchable", .bool(list.search?.keys.isEmpty == false)), ("offset", .count(question.offset)),
            ("total", .count(sections.total)), ("rows", .array(rows)), ("sections", .array(sections.json)),
            ("index", .array(sections.titles.map { .string($0) })),
            ("reorders", .bool(list.orderKey != nil)), ("shades", .bool(list.shadesRows)),
            ("editable", .bool(reading.opened.isWriting)),
            ("add", AddAnswer(app, list, parent: question.parent, model: reading.opened.model).json),
        ])
    }

    private func fetched() throws -> NSFetchedResultsController<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: list.entity)
        request.predicate = try predicate()
        request.fetchBatchSize = list.batchSize
        request.sortDescriptors = list.order(of: tab)
        let isWhole = question.parent == nil && question.search.isEmpty && question.scope == 0
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: reading.context, sectionNameKeyPath: tab.sectionKey,
            cacheName: isWhole ? list.cacheName.map { "\(app.title) \($0) \(question.tab)" } : nil)
        controller.sectionsAreFirstLetters = tab.sectionNaming == .firstLetter
        controller.sectionLocale = display.locale
        controller.sortsBySectionsFirst = true
        try controller.performFetch()
        return controller
    }

    /// The condition of all parts. The scope comes first: it is cheap to test, and leaves fewer objects to search.
    private func predicate() throws -> NSPredicate? {
        var parts: [NSPredicate] = []
        if let search = list.search, question.scope > 0 {
            guard search.scopes.indices.contains(question.scope) else {
                throw BrowserFailure(404, code: "unknownScope", reason: "the search has no scope \(question.scope)")
            }
            let text = search.scopes[question.scope].predicate
            if !text.isEmpty { parts.append(try AppPredicate.parsed(text, of: entity, now: question.now)) }
        }
        if let text = list.predicate { parts.append(try AppPredicate.parsed(text, of: entity, now: question.now)) }
        if let key = list.parentKey {
            parts.append(
                NSComparisonPredicate(
                    leftExpression: NSExpression(forKeyPath: key),
                    rightExpression: NSExpression(forConstantValue: parent), modifier: .direct, type: .equalTo))
        }
        if let keys = list.search?.keys, let found = AppPredicate.search(question.search, in: keys) {
            parts.append(found)
        }
        return parts.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: parts)
    }

    private func row(_ object: NSManagedObject, _ section: Int?) -> JSONValue {
        let title = display.joined(tab.titleKeys, of: object)
        let subtitle = display.joined(tab.subtitleKeys, of: object)
        let opensList = list.parentKey.flatMap { entity.relationshipsByName[$0]?.destinationEntity }
            .map { object.entity.isKindOf(entity: $0) }
        return .object([
            ("id", .string(object.objectID.shortText)), ("entity", .text(object.entity.name)),
            ("title", .string(title.isEmpty && tab.titleKeys.isEmpty ? display.label(of: object) : title)),
            ("subtitle", subtitle.isEmpty ? .null : .string((tab.subtitlePrefix ?? "") + subtitle)),
            ("section", .count(section)), ("color", color(object)),
            ("opens", .string(opensList == true ? "list" : "form")),
            ("form", .string(app.formName(for: object.entity, in: list))),
        ])
    }

    private func color(_ object: NSManagedObject) -> JSONValue {
        guard let key = list.colorKey, let route = try? KeyRoute(key, from: object.entity) else { return .null }
        let value = ObjectRecord(object: object, reader: reading.reader).read(route).json
        return RowColor(value)?.json ?? .null
    }
}

extension ApplicationTab {
    /// `{"title", "icon"}`
    var json: JSONValue { .object([("title", .string(title)), ("icon", .text(icon))]) }
}

extension ApplicationList {
    /// The sort descriptors of a tab, after the one of `orderKey` if the list has a manual order.
    func order(of tab: ApplicationTab) -> [NSSortDescriptor] {
        (orderKey.map { [NSSortDescriptor(key: $0, ascending: true)] } ?? []) + tab.sorting.map(\.descriptor)
    }
}
