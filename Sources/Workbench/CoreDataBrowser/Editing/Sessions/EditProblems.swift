import CoreData

/// Finds the validation rules that staged changes break.
struct EditProblems {
    private static let limit = 500

    private let naming: (NSManagedObject) -> String

    init(_ naming: @escaping (NSManagedObject) -> String) { self.naming = naming }

    /// The validation errors that saving a context would throw: `[{"object", "key", "text", "code", "domain",
    /// "cure"}]`.
    func all(in context: NSManagedObjectContext, _ access: BrowserAccess) -> [JSONValue] {
        var problems: [JSONValue] = []
        func check(_ objects: Set<NSManagedObject>) {
            for object in objects where problems.count < Self.limit { problems += self.problems(of: object, access) }
        }
        check(context.deletedObjects)
        check(context.insertedObjects)
        check(context.updatedObjects)
        return Self.shown(problems)
    }

    /// The validation errors that a save would throw for one object with unsaved changes.
    func problems(of object: NSManagedObject, _ access: BrowserAccess) -> [JSONValue] {
        do {
            if object.isDeleted {
                try object.validateForDelete()
            } else if object.isInserted {
                try object.validateForInsert()
            } else {
                try object.validateForUpdate()
            }
            return []
        } catch {
            return list(error, access)
        }
    }

    /// The first problems, in the order of their texts.
    static func shown(_ problems: [JSONValue]) -> [JSONValue] {
        problems.prefix(limit).map { ($0, JSONWriter.line($0)) }
            .sorted { $0.1.compare($1.1, options: .numeric) == .orderedAscending }.map(\.0)
    }

    /// The single errors in `NSDetailedErrorsKey` of an error, or the error itself, as problems.
    func list(_ error: any Error, _ access: BrowserAccess) -> [JSONValue] {
        let error = error as NSError
        if let parts = error.userInfo[NSDetailedErrorsKey] as? [NSError] { return parts.flatMap { list($0, access) } }
        let object = error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject
        let key = error.userInfo[NSValidationKeyErrorKey] as? String
        // Of a property that the user may not read, the text says only that a rule is broken.
        let isHidden = object.map { !access.may(.read, entity: $0.entity, key: key) } ?? false
        let value = RefusedValue.sentence(error).map { " " + $0 } ?? ""
        let text = isHidden ? "A rule of the model is broken." : error.localizedDescription + value
        return [
            .object([
                ("object", .text(object.map(naming))), ("key", isHidden ? .null : .text(key)),
                ("text", .string(PrintableText.escaped(text))), ("code", .integer(Int64(error.code))),
                ("domain", .string(error.domain)), ("cure", .text(ErrorDetail.cure(error.domain, error.code))),
            ])
        ]
    }

    /// The rules that a new value of one property would break; sets the value in the scratch context of `work`.
    func check(_ value: JSONValue, key: String, of object: NSManagedObject, work: StepWork, access: BrowserAccess)
        throws -> [JSONValue]
    {
        do {
            try work.apply(.set(.json(value)), to: key, of: object)
        } catch let error as InspectionError {
            let text = error.hint.map { "\(error.cause) (\($0))" } ?? error.cause
            return [problem(object, key: key, text: text, code: error.code.rawValue)]
        }
        let changed = object.value(forKey: key)
        var given: Any? = changed
        do { try object.validateValue(&given, forKey: key) } catch { return list(error, access) }
        return []
    }

    private func problem(_ object: NSManagedObject, key: String, text: String, code: String) -> JSONValue {
        .object([
            ("object", .string(naming(object))), ("key", .string(key)), ("text", .string(text)),
            ("code", .string(code)),
        ])
    }
}
