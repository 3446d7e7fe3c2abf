import CoreData

/// Makes what a form shows of an object: its sections and rows, with the values as data and as text.
struct FormAnswer {
    let app: BrowsedApp
    let name: String
    let form: DetailList
    let problems: [ListProblem]
    let object: NSManagedObject
    let reading: StoreReading
    private let kinds: FieldKindRegistry
    private let display: DisplayText

    /// - Throws: `BrowserFailure` 404 for an unknown form or object.
    init(_ app: BrowsedApp, question: FormQuestion, kinds: FieldKindRegistry, reading: StoreReading) throws {
        self.app = app
        self.reading = reading
        self.kinds = kinds
        name = question.form
        object = try question.object(reading)
        (form, problems) = try app.form(question.form, for: object.entity, kinds)
        display = DisplayText(language: question.language, reader: reading.reader)
    }

    /// What the page answers.
    var json: JSONValue {
        let entity = object.entity.name ?? ""
        let isNew = object.objectID.isTemporaryID
        return .object([
            ("app", .string(app.id)), ("form", .string(name)), ("entity", .string(entity)),
            ("id", .string(isNew ? "\(entity)/new" : object.objectID.shortText)),
            ("title", .string(isNew ? "New \(entity)" : entity)), ("label", .string(display.label(of: object))),
            ("new", .bool(isNew)), ("editable", .bool(reading.opened.isWriting)),
            ("saves", .string(form.savesFields ? "field" : "form")),
            ("sections", .array(form.sections.map(section))), ("problems", .array(problems.map(\.json))),
        ])
    }

    private func section(_ section: DetailList.Section) -> JSONValue {
        guard section.isDynamic, let template = section.rows.first,
            let relationship = object.entity.relationshipsByName[template.key]
        else {
            return .object([
                ("header", .text(section.header)), ("dynamic", .bool(false)),
                ("rows", .array(section.rows.map(row))),
            ])
        }
        if RelationshipChoice(template, of: object) != nil {
            var choice = template
            if choice.label.isEmpty { choice.label = section.header ?? DetailList.label(template.key) }
            return .object([
                ("header", .text(section.header)), ("dynamic", .bool(false)), ("rows", .array([row(choice)])),
            ])
        }
        let members = ShownMemberRows(
            section, template: template, relationship: relationship, of: object, reading: reading, display: display,
            app: app)
        return .object([("header", .text(section.header)), ("dynamic", .bool(true))] + members.json)
    }

    private func row(_ row: DetailList.Row) -> JSONValue {
        let kind = kinds[row.className]
        let shared: [(String, JSONValue)] = [
            ("label", .string(row.label)), ("class", .string(row.className)), ("key", .string(row.key)),
        ]
        switch object.entity.propertiesByName[row.key] {
        case let attribute as NSAttributeDescription:
            return .object(shared + attributeRow(row, attribute: attribute, kind: kind))
        case let relationship as NSRelationshipDescription:
            return .object(shared + relationshipRow(row, relationship))
        case is NSFetchedPropertyDescription:
            return .object(
                shared + [
                    ("kind", .string("report")), ("readOnly", .bool(true)),
                    ("text", .string(row.value ?? row.values.first ?? DetailList.label(row.key))),
                    ("opens", .string("report")),
                ])
        default: return .object(shared + [("kind", .string("label")), ("readOnly", .bool(true))])
        }
    }

    private func attributeRow(_ row: DetailList.Row, attribute: NSAttributeDescription, kind: FieldKind?)
        -> [(String, JSONValue)]
    {
        let read = read(row.key)
        var value = read?.json ?? .null
        if case .value(let data as Data, _)? = read, data.count > 64 << 10 {
            value = .object([("bytes", .count(data.count))])
        }
        let said = RowReading(kind, attribute, of: ObjectRecord(object: object, reader: reading.reader))?.reading
        if let said, !said.isProblem { value = .string(said.entry) }
        let widget = kind?.widget ?? "label"
        var text = row.value ?? said?.text ?? read.flatMap { display.text($0, reading.context) }
        var members: [(String, JSONValue)] = [
            ("kind", .string(widget)), ("type", .string(attribute.attributeType.text)), ("value", value),
            ("readOnly", .bool(row.value != nil || kind?.isReadOnly ?? true)),
            ("optional", .bool(attribute.isOptional)),
            ("placeholder", .text(row.placeholder)), ("format", .text(row.format)),
        ]
        if case .unreadable(let reason)? = read { members.append(("unreadable", .string(reason))) }
        switch widget {
        case "choice":
            members.append(("choices", .array(row.values.map { .string($0) })))
            members.append(("selected", .count(text.flatMap { row.values.firstIndex(of: $0) })))
        case "color":
            let color = RowColor(value)?.json
            members.append(("color", color ?? RowColor.white))
            text = nil
        case "text" where said == nil:
            let isDefault = attribute.defaultValue.map { JSONWriter.line(ValueCoding.jsonValue($0, of: attribute)) }
            members.append(("startsEmpty", .bool(isDefault == JSONWriter.line(value))))
        default: break
        }
        return members + [("text", .text(text))] + (said.map { [("said", $0.json)] } ?? [])
    }

    private func relationshipRow(_ row: DetailList.Row, _ relationship: NSRelationshipDescription)
        -> [(String, JSONValue)]
    {
        let read = read(row.key)
        var members: [(String, JSONValue)] = [
            ("kind", .string(relationship.isToMany ? "count" : "object")), ("readOnly", .bool(relationship.isToMany)),
            ("entity", .text(relationship.destinationEntity?.name)),
            ("text", .text(read.flatMap { display.text($0, reading.context) })),
        ]
        if case .object(let id)? = read {
            let form = row.detail ?? app.formName(for: id.entity)
            members += [
                ("object", .string(id.shortText)), ("opens", .string("form")),
                ("detail", .string(app.forms[form] == nil ? BrowsedApp.modelForm : form)),
            ]
        }
        guard let choice = RelationshipChoice(row, of: object) else { return members }
        members.removeAll { ["kind", "readOnly", "entity"].contains($0.0) }
        let chosen = if case .object(let id)? = read { JSONValue.string(id.shortText) } else { JSONValue.null }
        return members + [
            ("kind", .string("relationship")), ("readOnly", .bool(false)), ("entity", .text(choice.entity?.name)),
            ("many", .bool(relationship.isToMany)), ("optional", .bool(relationship.isOptional)),
            ("value", relationship.isToMany ? .array([]) : chosen),
        ]
    }

    private func read(_ key: String) -> PropertyReading? {
        (try? KeyRoute(key, from: object.entity)).map { ObjectRecord(object: object, reader: reading.reader).read($0) }
    }
}
