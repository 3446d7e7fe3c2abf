import CoreData

/// The rows of a dynamic section, one for each member of a to-many relationship, and the label and form for adding one.
struct ShownMemberRows {
    /// Members beyond this number are counted and not shown.
    private static let limit = 1_000

    private let section: DetailList.Section
    private let template: DetailList.Row
    private let relationship: NSRelationshipDescription
    private let object: NSManagedObject
    private let reading: StoreReading
    private let display: DisplayText
    private let app: BrowsedApp

    init(
        _ section: DetailList.Section, template: DetailList.Row, relationship: NSRelationshipDescription,
        of object: NSManagedObject, reading: StoreReading, display: DisplayText, app: BrowsedApp
    ) {
        self.section = section
        self.template = template
        self.relationship = relationship
        self.object = object
        self.reading = reading
        self.display = display
        self.app = app
    }

    /// The members of the section's JSON.
    var json: [(String, JSONValue)] {
        let destination = relationship.destinationEntity
        let name = destination?.name ?? ""
        let (members, total) = members
        return [
            ("relationship", .string(relationship.name)), ("entity", .string(name)), ("owned", .bool(isOwned)),
            ("ordered", .bool(relationship.isOrdered)), ("total", .count(total)),
            ("addLabel", .string(section.addLabel ?? "Add New \(name)…")),
            ("addTitle", .string("New \(name)")), ("addForm", .string(form(destination))),
            ("addable", .bool(destination?.isAbstract == false && !object.objectID.isTemporaryID)),
            ("rows", .array(members.map(row))),
        ]
    }

    /// Whether a member is deleted when the user removes it from the relationship.
    private var isOwned: Bool {
        section.isOwned ?? (relationship.deleteRule == .cascadeDeleteRule)
    }

    private var members: (rows: [NSManagedObject], total: Int) {
        guard let route = try? KeyRoute(relationship.name, from: object.entity),
            case .objects(let ids, let isOrdered) = ObjectRecord(object: object, reader: reading.reader).read(route)
        else { return ([], 0) }
        guard let name = relationship.destinationEntity?.name, let key = section.sortKey, !isOrdered else {
            return (ids.prefix(Self.limit).compactMap { try? reading.context.existingObject(with: $0) }, ids.count)
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.predicate = NSPredicate(format: "SELF IN %@", ids)
        request.sortDescriptors = [
            NSSortDescriptor(key: key, ascending: true), NSSortDescriptor(key: "self", ascending: true),
        ]
        request.fetchLimit = Self.limit
        return ((try? reading.context.fetch(request)) ?? [], ids.count)
    }

    private func form(_ entity: NSEntityDescription?) -> String {
        let found = template.detail ?? entity.map { app.formName(for: $0) } ?? BrowsedApp.modelForm
        return app.forms[found] == nil ? BrowsedApp.modelForm : found
    }

    private func row(_ member: NSManagedObject) -> JSONValue {
        let text = section.displayKey.map { display.joined([$0], of: member) } ?? display.label(of: member)
        let id = member.objectID.shortText
        let removing =
            isOwned
            ? Steps.delete(id)
            : Steps.link("remove", object: object.objectID.shortText, key: relationship.name, member: id)
        return .object([
            ("label", .string(template.label)), ("class", .string(template.className)), ("kind", .string("object")),
            ("key", .string(relationship.name)), ("object", .string(id)), ("text", .string(text)),
            ("readOnly", .bool(true)), ("opens", .string("form")), ("detail", .string(form(member.entity))),
            ("remove", .array([removing])),
        ])
    }
}
