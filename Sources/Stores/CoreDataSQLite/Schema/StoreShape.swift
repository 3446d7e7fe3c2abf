import CoreDataSQL
import SQLiteKit

/// What an open store's file has been found to have: the same for all connections to it, on whichever thread.
final class StoreShape: @unchecked Sendable {
    let url: URL
    let schema: StoreSchema
    let layouts: ModelLayout
    /// The name of the configuration whose entities the file keeps; nil for all.
    let configuration: String?
    /// The derived attributes that a save computes; nil if the model has no such attributes.
    let derivedColumns: DerivedColumns?
    unowned let store: any BackendDelegate
    /// Whether saves have to search for duplicate values, because an index that would refuse them is missing.
    let lacksUniqueIndex: Bool
    /// Why the file must not be written to, as sentences.
    let reasonsForReadOnly: [String]
    /// What is not as it should be.
    let findings: StoreProblemLog
    /// The search index; nil without one. Set before further connections are made.
    var search: SearchSetup?
    /// By the number that the file gives to an entity. What plans remember for saves, only who saves uses.
    let plans: [Int: RowPlan]
    /// The numbers that the file gives to the entities of the model, -1 to those that it does not keep.
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

    /// The plan for rows that bear an entity number; nil for a number that no row should bear.
    func plan(number: Int64) -> RowPlan? {
        Int(exactly: number).flatMap { plans[$0] }
    }

    /// The plans of an entity and its descendants, as far as the store keeps them.
    func plans(of mapping: EntityMapping, withDescendants: Bool) -> [RowPlan] {
        (withDescendants ? mapping.familyNumbers : [mapping.number]).compactMap { plans[$0] }
    }

    /// The number that the file gives to an entity of the model; -1 for one that it does not keep.
    func entityNumber(ofLayout number: Int) -> Int64 {
        number < entityNumbers.count ? Int64(entityNumbers[number]) : -1
    }

    /// The entity at the top of a hierarchy, by the number of its layout; nil for one that the store does not keep.
    func rootMapping(_ root: Int) -> EntityMapping? {
        layouts.entities.first { $0.root == root }
            .flatMap { schema.entity(named: $0.entity.name ?? "") }
            .flatMap { schema.entity(number: $0.rootNumber) }
    }
}
