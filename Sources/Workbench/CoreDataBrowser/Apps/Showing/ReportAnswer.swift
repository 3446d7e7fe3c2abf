import CoreData

/// Makes what a report shows: the objects of a fetched property, evaluated now.
struct ReportAnswer {
    private let app: BrowsedApp
    private let object: NSManagedObject
    private let property: NSFetchedPropertyDescription
    private let reading: StoreReading
    private let display: DisplayText
    private let sort: String?

    /// - Throws: `BrowserFailure` 404 for an unknown object or report.
    init(
        _ app: BrowsedApp, object name: String, property key: String, sort: String?, language: String?,
        _ reading: StoreReading
    ) throws {
        self.app = app
        self.reading = reading
        self.sort = sort
        object = try AppObjects.find(name, reading)
        guard let found = object.entity.propertiesByName[key] as? NSFetchedPropertyDescription else {
            throw BrowserFailure(
                404, code: "unknownReport",
                reason:
                    "entity '\(object.entity.name ?? "")' has no fetched property '\(PrintableText.escaped(key, limit: 80))'"
            )
        }
        property = found
        display = DisplayText(language: language, reader: reading.reader)
    }

    /// What the page answers: the total, and at most `limit` rows from `offset` on.
    func json(offset: Int, limit: Int) throws -> JSONValue {
        let all = try sorted((try object.codedValue(forKey: property.name) as? [NSManagedObject]) ?? [])
        let window = all.dropFirst(offset).prefix(limit)
        return .object([
            ("app", .string(app.id)), ("object", .string(object.objectID.shortText)),
            ("title", .string(DetailList.label(property.name))), ("name", .string(property.name)),
            ("total", .count(all.count)), ("offset", .count(offset)), ("rows", .array(window.map(row))),
        ])
    }

    private var entity: NSEntityDescription? { property.fetchRequest?.entity }

    /// The first list that shows objects of the entity; its first tab sets the titles and the order of the rows.
    private var list: ApplicationList? {
        app.lists.first { list in
            guard let entity, let shown = reading.opened.model.entitiesByName[list.entity] else { return false }
            return entity.isKindOf(entity: shown)
        }
    }

    private func sorted(_ objects: [NSManagedObject]) throws -> [NSManagedObject] {
        var order = list?.tabs.first?.sorting.map(\.descriptor) ?? []
        if let sort, !sort.isEmpty {
            let key = sort.hasPrefix("-") ? String(sort.dropFirst()) : sort
            guard let entity, ModelKeys.isSortable(key, of: entity) else {
                throw BrowserFailure(
                    422, code: "unknownKey",
                    reason: "a report is not sorted by '\(PrintableText.escaped(key, limit: 80))'")
            }
            order = [NSSortDescriptor(key: key, ascending: !sort.hasPrefix("-"))]
        }
        // A report whose order is defined in the model keeps that order unless the request gives another.
        guard !order.isEmpty, sort?.isEmpty == false || property.fetchRequest?.sortDescriptors?.isEmpty != false,
            let name = entity?.name
        else { return objects }
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.predicate = NSPredicate(format: "SELF IN %@", objects.map(\.objectID))
        request.sortDescriptors = order + [NSSortDescriptor(key: "self", ascending: true)]
        return try reading.context.fetch(request)
    }

    private func row(_ found: NSManagedObject) -> JSONValue {
        let tab = list?.tabs.first
        let title = display.joined(tab?.titleKeys ?? [], of: found)
        let subtitle = display.joined(tab?.subtitleKeys ?? [], of: found)
        return .object([
            ("id", .string(found.objectID.shortText)), ("entity", .text(found.entity.name)),
            ("title", .string(title.isEmpty ? display.label(of: found) : title)),
            ("subtitle", subtitle.isEmpty ? .null : .string(subtitle)), ("opens", .string("form")),
            ("form", .string(app.formName(for: found.entity, in: list))),
        ])
    }
}
