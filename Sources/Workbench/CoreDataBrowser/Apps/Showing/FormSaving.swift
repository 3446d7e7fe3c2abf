import CoreData

/// Checks the values that were entered into a form, by the kinds of its rows and the validation rules of the model and
/// its classes, and makes the steps of edits that store them. The caller stages the steps.
struct FormSaving {
    private let form: DetailList
    private let object: NSManagedObject
    private let reading: StoreReading
    private let question: FormQuestion
    private let kinds: FieldKindRegistry
    private let locale: Locale
    private let editor: PropertyEditor
    private var problems: [JSONValue] = []
    private var changed: [(key: String, value: JSONValue)] = []
    private var chosen: [(choice: RelationshipChoice, names: [String])] = []
    /// The members that were made for what was chosen.
    private var made: [NSManagedObject] = []

    init(_ answer: FormAnswer, question: FormQuestion, kinds: FieldKindRegistry) {
        form = answer.form
        object = answer.object
        reading = answer.reading
        editor = PropertyEditor(
            reading.opened.store, reader: reading.reader, targets: reading, numbers: .allDigits)
        self.question = question
        self.kinds = kinds
        locale =
            question.hasPlainNumbers
            ? Locale(identifier: "en_US_POSIX")
            : DisplayText(language: question.language, reader: answer.reading.reader).locale
    }

    /// Sets the entered values, by the keys of their rows, in the object. A value that is refused is a problem.
    mutating func enter(_ values: [JSONValue.Member]) {
        let rows = Dictionary(
            form.sections.flatMap { $0.isDynamic ? Array($0.rows.prefix(1)) : $0.rows }.map { ($0.key, $0) },
            uniquingKeysWith: { first, _ in first })
        for member in values {
            if let row = rows[member.key], let choice = RelationshipChoice(row, of: object) {
                enter(member, choice)
                continue
            }
            guard let row = rows[member.key], let kind = kinds[row.className],
                let attribute = object.entity.attributesByName[row.key]
            else {
                refuse(member.key, "the form has no field '\(PrintableText.escaped(member.key, limit: 80))'")
                continue
            }
            guard case .saves(let save)? = kind.action, row.value == nil else {
                refuse(member.key, "the field is only shown")
                continue
            }
            let entry = FieldEntry(
                value: member.value, attribute: attribute, choices: row.values, emptyIsNull: row.emptyIsNull,
                locale: locale)
            do {
                try set(attribute, try save(entry))
                for part in try kind.parts(of: entry) { try set(part.attribute, part.value) }
            } catch {
                refuse(member.key, ErrorText.line(for: error))
            }
        }
    }

    private mutating func enter(_ member: JSONValue.Member, _ choice: RelationshipChoice) {
        do {
            let (names, made) = try choice.enter(member.value, into: object, reading)
            chosen.append((choice, names))
            self.made += made
        } catch {
            refuse(member.key, BrowserFailure(error).reason)
        }
    }

    /// Validates only the fields that were changed, for a form that saves each field when the user leaves it.
    mutating func checkFields() {
        for key in changed.map(\.key) + chosen.map(\.choice.relationship.name) {
            var value: Any? = try? object.codedValue(forKey: key)
            do {
                try object.validateValue(&value, forKey: key)
            } catch {
                report(error)
            }
        }
    }

    /// Validates the complete object as a save does, unless an entered value was refused.
    mutating func checkAll() {
        guard problems.isEmpty else { return }
        do {
            if object.objectID.isTemporaryID { try object.validateForInsert() } else { try object.validateForUpdate() }
            for member in made { try member.validateForInsert() }
        } catch {
            report(error)
        }
    }

    /// `{"steps", "problems"}`; without steps if there are problems.
    func json() throws -> JSONValue {
        .object([
            ("steps", .array(problems.isEmpty ? try steps() : [])), ("problems", .array(problems)),
        ])
    }

    /// Whether nothing was refused.
    var isValid: Bool { problems.isEmpty }

    private func steps() throws -> [JSONValue] {
        guard object.objectID.isTemporaryID else {
            let name = object.objectID.shortText
            var steps = changed.map { Steps.set(name, key: $0.key, value: $0.value) }
            addChosen(to: name, &steps)
            return steps
        }
        let values = Dictionary(changed.map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last })
        var steps = [Steps.insert(question.entity, values)]
        if let owner = question.owner, let link = try question.membership(object.entity, reading) {
            steps.append(Steps.link("add", object: owner, key: link.name, member: "@0"))
        }
        addChosen(to: "@0", &steps)
        return steps
    }

    private func addChosen(to name: String, _ steps: inout [JSONValue]) {
        for (choice, names) in chosen { steps += choice.steps(names, to: name, after: steps.count) }
    }

    private mutating func set(_ attribute: NSAttributeDescription, _ value: JSONValue) throws {
        guard try editor.set(.json(value.written), attribute, of: object, isNew: false) else { return }
        changed.append((attribute.name, value))
    }

    private mutating func refuse(_ key: String, _ reason: String) {
        report(key, reason, domain: "CoreDataBrowser", code: NSManagedObjectValidationError)
    }

    private mutating func report(_ error: any Error) {
        let error = error as NSError
        for part in (error.userInfo[NSDetailedErrorsKey] as? [NSError]) ?? [error] {
            let key = part.userInfo[NSValidationKeyErrorKey] as? String
            let reason =
                part.userInfo[NSLocalizedFailureReasonErrorKey] as? String ?? part.localizedDescription
            report(key, reason, domain: part.domain, code: part.code)
        }
    }

    private mutating func report(_ key: String?, _ reason: String, domain: String, code: Int) {
        let name = question.key == FormQuestion.new ? "\(question.entity)/new" : object.objectID.shortText
        problems.append(
            .object([
                ("object", .string(name)), ("key", .text(key)), ("domain", .string(domain)), ("code", .count(code)),
                ("title", .string("Validation Error")), ("reason", .string(PrintableText.escaped(reason))),
                (
                    "text",
                    .string(
                        (key.map { "Validation error on: \($0)\n" } ?? "")
                            + "Failure Reason: \(PrintableText.escaped(reason))")
                ),
            ]))
    }
}

extension JSONValue {
    /// The value with each integer as the text of a number, as `JSONReader` gives it.
    var written: JSONValue {
        switch self {
        case .integer(let number): .number("\(number)")
        case .array(let elements): .array(elements.map(\.written))
        case .members(let members): .members(members.map { .init(key: $0.key, value: $0.value.written) })
        default: self
        }
    }
}
