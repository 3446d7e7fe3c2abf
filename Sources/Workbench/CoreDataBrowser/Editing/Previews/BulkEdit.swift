import CoreData

/// Sets the same values in many objects: those that a query matches, or those of a list of names.
struct BulkEdit: Sendable {
    /// The greatest number of objects that are staged together.
    static let limit = 10_000
    private static let sampled = 10

    let isDryRun: Bool
    private let name: String?
    private let entity: String?
    private let condition: String?
    private let search: String?
    private let objects: [String]?
    private let values: [JSONValue.Member]

    /// Reads `{"entity", "where", "search", "objects", "set": {…}, "dryRun", "name"}`.
    ///
    /// - Throws: `BrowserFailure` 422.
    init(_ body: JSONValue) throws {
        let parts = JSONParts(body)
        name = try parts.optionalText("name").map { PrintableText.escaped($0, limit: 120) }
        entity = try parts.optionalText("entity")
        condition = try parts.optionalText("where")
        search = try parts.optionalText("search")
        objects = parts["objects"] == nil ? nil : try parts.texts("objects")
        values = try parts.members("set")
        isDryRun = try parts.flag("dryRun")
        guard !values.isEmpty, entity != nil || objects != nil else {
            throw JSONParts.missing("set, entity or objects")
        }
    }

    /// The number of objects to change, and the call whose steps set the values.
    ///
    /// - Throws: `InspectionError` for a predicate or a name; `BrowserFailure` 422 for more objects than the limit.
    private func steps(in session: EditSession, _ access: BrowserAccess) throws -> (matched: Int, call: JSONValue) {
        let names = try objects ?? matching(session, access)
        guard names.count <= Self.limit else {
            throw BrowserFailure(
                422, code: "tooMany",
                reason: "\(names.count) objects are meant, more than the \(Self.limit) that are staged together",
                hint: "narrow the predicate and go in parts, or use 'coredata set', which saves at once",
                details: [.init(key: "matched", value: .count(names.count))])
        }
        let steps = names.flatMap { name in
            values.map { member in
                JSONValue.object([
                    ("do", .string("set")), ("object", .string(name)), ("key", .string(member.key)),
                    ("value", member.value),
                ])
            }
        }
        return (
            names.count,
            .object([("name", .string(name ?? "Change of \(names.count) Objects")), ("steps", .array(steps))])
        )
    }

    private func matching(_ session: EditSession, _ access: BrowserAccess) throws -> [String] {
        let reading = StoreReading(session.opened.shown(to: access), session.context, names: session.names)
        let entity = try reading.opened.entity(named: entity ?? "")
        let query = reading.limited(
            try ObjectQuery(entity, in: session.opened.store, where: condition, search: search))
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.affectedStores = [session.opened.store]
        request.predicate = query.predicate
        request.includesPropertyValues = false
        request.sortDescriptors = []
        return try session.context.fetch(request).map(session.names.name)
            .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
    }

    /// Stages the steps, or for a dry run applies them in a scratch context. `{"matched", "changed", "sample"}`, with
    /// the first changes as the sample.
    ///
    /// - Throws: `BrowserFailure` or `InspectionError`; then nothing is staged.
    func answer(in session: EditSession, _ access: BrowserAccess) throws -> JSONValue {
        let (matched, body) = try steps(in: session, access)
        let call = try EditCall(body, limit: .max)
        guard isDryRun else {
            let outcome = try session.keeping(.steps(body, firstName: session.names.next)) {
                try session.stage(call, access)
            }
            return json(matched, outcome.changed, naming: session.names.name, access)
        }
        return try session.withScratch { scratch in
            let work = StepWork(scratch, opened: session.opened, access: access, names: session.names)
            return json(matched, try work.apply(call.steps).changed, naming: session.scratchName, access)
        }
    }

    private func json(
        _ matched: Int, _ changed: [NSManagedObject], naming: (NSManagedObject) -> String, _ access: BrowserAccess
    ) -> JSONValue {
        let sample = changed.prefix(Self.sampled).map {
            StagedChange(.updated, object: $0, naming: naming, access: access).json
        }
        return .object([
            ("matched", .count(matched)), ("changed", .count(changed.count)), ("sample", .array(sample)),
        ])
    }
}
