import CoreDataSQL
import SQLiteKit
import Synchronization

/// What an open store's file has been found to have: the same for all connections to it, on whichever thread.
final class StoreShape: @unchecked Sendable {
    let url: URL
    let schema: StoreSchema
    let layouts: ModelLayout
    /// The name of the configuration whose entities the file keeps; nil for all.
    let configuration: String?
    /// The derived attributes that a save computes; nil where there are none.
    let derivedColumns: DerivedColumns?
    unowned let store: any BackendDelegate
    /// Whether saves have to look for values that are there twice, as an index that would refuse them is missing.
    let lacksUniqueIndex: Bool
    /// Why the file must not be written to, as sentences.
    let reasonsForReadOnly: [String]
    /// What is not as it should be.
    let findings: StoreFindings
    /// The search index; nil where there is none. Set before there are further connections.
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
        findings = StoreFindings(inspection.notes, unknownEntityTables: inspection.unknownEntityRows.tables)
        derivedColumns = DerivedColumns(schema: schema, model: layouts, triggers: inspection.triggers)
        entityNumbers = layouts.entities.map { inspection.schema.entity(named: $0.entity.name ?? "")?.number ?? -1 }
        var plans: [Int: RowPlan] = [:]
        for mapping in schema.entities {
            guard let layout = layouts.layout(named: mapping.name) else { continue }
            plans[mapping.number] = RowPlan(mapping: mapping, layout: layout, binding: store.binding(for: layout))
        }
        self.plans = plans
    }
}

/// What is found while a store is used; for all its connections.
final class StoreFindings: Sendable {
    private struct State {
        var problems: [String]
        var unknownEntityTables: Set<String>
    }

    private let state: Mutex<State>

    init(_ problems: [String], unknownEntityTables: Set<String>) {
        state = Mutex(State(problems: problems, unknownEntityTables: unknownEntityTables))
    }

    /// What is not as it should be, as sentences.
    var problems: [String] { state.withLock { $0.problems } }

    /// The tables with rows that no object can be of.
    var unknownEntityTables: Set<String> { state.withLock { $0.unknownEntityTables } }

    /// Remembers something that is not as it should be; each once.
    func note(_ problem: String) {
        state.withLock { state in
            if state.problems.count < 1000, !state.problems.contains(problem) { state.problems.append(problem) }
        }
    }

    /// Remembers a table in which a fetch has met a row that no object can be of.
    func noteUnknownEntityRow(in table: String) { state.withLock { _ = $0.unknownEntityTables.insert(table) } }
}
