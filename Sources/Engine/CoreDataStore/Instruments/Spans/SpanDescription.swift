import CoreDataModeling

/// The name and attributes of the span of an event.
///
/// Source: OpenTelemetry's semantic conventions for database client spans and for SQL, schema version 1.38.0. An SQL
/// statement is a call to the database (`CLIENT`). Other operations of the library are internal (`INTERNAL`), with the
/// system name `coredata` and entities as collections. Attributes that the library defines begin with `coredata.`.
package struct SpanDescription {
    /// The schema of the conventions.
    package static let schema = "https://opentelemetry.io/schemas/1.38.0"

    /// The length in bytes to which a text is cut, as in recordings.
    private static let longestText = 16 << 10

    package let name: String
    package let isClient: Bool
    package private(set) var attributes: [(key: String, value: CoreDataInstruments.Span.Value)] = []

    package init(_ event: InstrumentEvent) {
        isClient = event.kind == .statement
        guard event.kind == .statement else {
            let operation = event.flags.contains(.counted) ? "count" : event.kind.name
            let target = event.entity.isEmpty ? event.store : event.entity
            name = target.isEmpty ? operation : "\(operation) \(target)"
            add("db.system.name", "coredata")
            add("db.operation.name", operation)
            addFacts(of: event)
            return
        }
        let summary = QuerySummary(event.detail)
        name = summary.text.isEmpty ? event.system : summary.text
        add("db.system.name", event.system)
        add("db.namespace", event.store)
        add("server.address", event.serverAddress)
        add("server.port", event.serverPort)
        add("error.type", event.errorType)
        add("db.query.summary", summary.text)
        add("db.query.text", event.detail)
        add("db.operation.batch.size", summary.statementCount > 1 ? summary.statementCount : 0)
        // A statement that changes rows returns none: `rows` is then the number of changed rows.
        add(Self.reads(summary.text) ? "db.response.returned_rows" : "coredata.rows.changed", event.rows)
        add("coredata.rows.scanned", event.scanned)
    }

    private mutating func addFacts(of event: InstrumentEvent) {
        if event.kind == .save, event.flags.contains(.toParent) {
            add("coredata.save.destination", "parent")
        } else {
            add("db.namespace", event.store)
        }
        // A save's event names an entity whose objects were saved unchanged, which is not the collection of the span.
        if event.kind != .save { add("db.collection.name", event.entity) }
        switch event.kind {
        case .fetch:
            add("db.query.text", event.detail)
            add("db.response.returned_rows", event.rows)
        case .fault: add("db.response.returned_rows", event.rows)
        case .members, .prefetch:
            add("coredata.relationship", event.detail)
            add("db.response.returned_rows", event.rows)
        case .wait: add("coredata.reader.use", event.detail)
        case .save, .merge, .statement: break
        }
        add("coredata.objects.inserted", event.inserted)
        add("coredata.objects.updated", event.updated)
        add("coredata.objects.deleted", event.deleted)
        add("coredata.objects.unchanged", event.unchanged)
        add("coredata.context.name", event.contextName)
        add("coredata.queue", event.queue)
    }

    private static func reads(_ summary: String) -> Bool {
        ["SELECT", "FETCH", "PRAGMA"].contains { summary.hasPrefix($0) }
    }

    private mutating func add(_ key: String, _ text: String) {
        guard !text.isEmpty else { return }
        let isLong = text.utf8.count > Self.longestText
        let shown = isLong ? String(decoding: text.utf8.prefix(Self.longestText), as: UTF8.self) : text
        attributes.append((key, .string(shown)))
    }

    private mutating func add(_ key: String, _ number: Int) {
        if number > 0 { attributes.append((key, .integer(number))) }
    }
}
