import CoreDataSQL
import SQLiteKit

/// What has been determined about an open store's file; shared by all connections to it, on any thread.
final class StoreShape: @unchecked Sendable {
    let url: URL
    let schema: StoreSchema
    let layouts: ModelLayout
    /// The name of the configuration whose entities the file contains; nil for all entities.
    let configuration: String?
    /// The derived attributes that saves compute; nil if there are none.
    let derivedColumns: DerivedColumns?
    unowned let store: any BackendDelegate
    /// Whether saves have to search for duplicate values, since a unique index is missing.
    let lacksUniqueIndex: Bool
    /// Why the file must not be written to, as sentences.
    let reasonsForReadOnly: [String]
    /// The problems found.
    let findings: StoreProblemLog
    /// The search index; nil without one. Set before further connections are opened.
    var search: SearchSetup?
    /// The row plans by entity number. Only the thread that saves uses what the plans cache for saves.
    let plans: [Int: RowPlan]
    /// The file's entity numbers by layout number; -1 for an entity that the store does not contain.
    let entityNumbers: [Int]

    init(
        _ connection: Connection, url: URL, layouts: ModelLayout, configuration: String?, store: any BackendDelegate,
        tracksHistory: Bool
    ) throws {
        self.url = url
        self.configuration = configuration
        self.store = store
        let inspection = try SchemaInspection(
            connection, model: layouts.model, configuration: configuration, url: url, tracksHistory: tracksHistory)
        self.layouts = layouts
        schema = inspection.schema
        lacksUniqueIndex = inspection.lacksUniqueIndex
        reasonsForReadOnly = inspection.reasonsForReadOnly
        findings = StoreProblemLog(inspection.notes, unknownEntityTables: inspection.unknownEntityRows.tables)
        derivedColumns = DerivedColumns(schema: schema, model: layouts, triggers: inspection.triggers)
        entityNumbers = layouts.entities.map { inspection.schema.entity(named: $0.entity.name ?? "")?.number ?? -1 }
        var plans: [Int: RowPlan] = [:]
        for mapping in schema.entities {
            guard let layout = layouts.layout(named: mapping.name) else { continue }
            plans[mapping.number] = RowPlan(mapping: mapping, layout: layout, binding: store.binding(for: layout))
        }
        self.plans = plans
    }

    /// Returns the plan of an entity, by its number in the file; nil for an unknown number, which no row should have.
    func plan(number: Int64) -> RowPlan? {
        Int(exactly: number).flatMap { plans[$0] }
    }

    /// Returns the plans of an entity and its descendants, as far as the store contains them.
    func plans(of mapping: EntityMapping, withDescendants: Bool) -> [RowPlan] {
        (withDescendants ? mapping.familyNumbers : [mapping.number]).compactMap { plans[$0] }
    }

    /// Returns the file's number for an entity of the model; -1 if the store does not contain the entity.
    func entityNumber(ofLayout number: Int) -> Int64 {
        number < entityNumbers.count ? Int64(entityNumbers[number]) : -1
    }

    /// Returns the root entity of a hierarchy, given by layout number; nil if the store does not contain it.
    func rootMapping(_ root: Int) -> EntityMapping? {
        layouts.entities.first { $0.root == root }
            .flatMap { schema.entity(named: $0.entity.name ?? "") }
            .flatMap { schema.entity(number: $0.rootNumber) }
    }
}
