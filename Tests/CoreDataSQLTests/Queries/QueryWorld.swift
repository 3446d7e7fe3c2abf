import CoreDataFoundation
import CoreDataSQL
import SQLiteKit
import StoreContract
import Testing

@testable import CoreDataGraph

/// The same objects twice: in memory, and as rows of a database that the schema created.
@MainActor
final class QueryWorld {
    let model: NSManagedObjectModel
    let layout: ModelLayout
    let schema: StoreSchema
    let store: NSPersistentStore
    let connection: Connection
    let compiler: QueryCompiler
    private(set) var objects: [String: [Sample]] = [:]
    private var lastKeys: [String: Int64] = [:]

    init() throws {
        model = QueryModel.make()
        layout = ModelLayout.of(model)
        schema = StoreSchema(model: model)
        store = Self.makeStore("STORE")
        connection = try Connection.inMemory()
        compiler = QueryCompiler(
            schema: schema, model: layout, storeIdentifier: "STORE", collations: ["weekdayOrder:"])
        for statement in schema.creationStatements { try connection.execute(statement) }
        try Self.teach(connection)
    }

    static func makeStore(_ identifier: String) -> NSPersistentStore {
        let store = NSPersistentStore(
            persistentStoreCoordinator: nil, configurationName: nil, at: URL(fileURLWithPath: "/nowhere"), options: nil)
        store.identifier = identifier
        return store
    }

    private static func teach(_ connection: Connection) throws {
        for function in SQLFunctionLibrary.functions {
            try connection.registerFunction(
                function.name, argumentCount: function.argumentCount,
                flags: function.isDeterministic ? [.deterministic, .directOnly] : .directOnly
            ) { arguments in
                Value(try function.body((0..<arguments.count).map { SQLParameter(arguments[$0]) }))
            }
        }
        for collation in SQLFunctionLibrary.collations {
            try connection.registerCollation(collation.name) { left, right in
                collation.compare(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
                    .rawValue
            }
        }
    }

    // MARK: Objects

    func identifier(_ entity: String, _ key: Int64, in other: NSPersistentStore? = nil, isTemporary: Bool = false)
        throws -> NSManagedObjectID
    {
        let layout = try #require(layout.layout(named: entity))
        let binding = EntityBinding(layout: layout, store: other ?? store, storeNumber: 1)
        return NSManagedObjectID(binding: binding, key: key, isTemporary: isTemporary)
    }

    /// Makes an object with values of attributes; `insert` writes it when its relationships are set.
    func add(_ entity: String, _ values: [String: Any]) throws -> Sample {
        let mapping = try #require(schema.entity(named: entity))
        let root = try #require(schema.entity(number: mapping.rootNumber)).name
        lastKeys[root, default: 0] += 1
        let sample = Sample(try identifier(entity, lastKeys[root] ?? 0))
        sample.values = values
        objects[root, default: []].append(sample)
        return sample
    }

    func relate(_ one: Sample, _ key: String, _ other: Sample) {
        let relationship = one.entity.relationshipsByName[key]
        set(one, key, other)
        guard let inverse = relationship?.inverseRelationship, inverse !== relationship || one !== other else { return }
        set(other, inverse.name, one)
    }

    private func set(_ sample: Sample, _ key: String, _ other: Sample) {
        if sample.entity.relationshipsByName[key]?.isToMany == true {
            sample.add(other, to: key)
        } else {
            sample.values[key] = other
        }
    }

    func insertAll() throws {
        for sample in objects.values.joined() { try insert(sample) }
        for sample in objects.values.joined() { try link(sample) }
    }

    private func insert(_ sample: Sample) throws {
        let mapping = try #require(schema.entity(named: sample.entity.name ?? ""))
        var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
        var values: [Value] = [.integer(sample.key), .integer(Int64(mapping.number)), 1]
        for attribute in mapping.attributes {
            columns.append(attribute.column)
            let value = sample.values[attribute.name]
            let element = attribute.elementPath.last.map { (value as? [String: Any])?[$0] as Any? } ?? value
            values.append(Self.stored(element))
        }
        for toOne in mapping.toOnes {
            columns.append(toOne.column)
            values.append((sample.values[toOne.name] as? Sample).map { .integer($0.key) } ?? .null)
        }
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        try connection.execute(
            "INSERT INTO \(mapping.table) (\(columns.joined(separator: ", "))) VALUES (\(marks))", values)
    }

    private func link(_ sample: Sample) throws {
        let mapping = try #require(schema.entity(named: sample.entity.name ?? ""))
        for toMany in mapping.toManys {
            for other in sample.values[toMany.name] as? [Sample] ?? [] {
                switch toMany.storage {
                case .foreignKey(let key):
                    try connection.execute(
                        "UPDATE \(key.table) SET \(key.column) = ? WHERE Z_PK = ?",
                        [.integer(sample.key), .integer(other.key)])
                case .join(let join):
                    try connection.execute(
                        "INSERT OR IGNORE INTO \(join.table) (\(join.ownColumn), \(join.otherColumn)) SELECT ?1, ?2"
                            + " WHERE ?3 = 0 OR NOT EXISTS (SELECT 1 FROM \(join.table)"
                            + " WHERE \(join.ownColumn) = ?2 AND \(join.otherColumn) = ?1)",
                        [.integer(sample.key), .integer(other.key), .integer(join.isReflexive ? 1 : 0)])
                }
            }
        }
    }

    private static func stored(_ value: Any?) -> Value {
        switch value {
        case nil: .null
        case let text as String: .text(text)
        case let date as Date: .real(date.timeIntervalSinceReferenceDate)
        case let data as Data: .blob(Array(data))
        case let uuid as UUID: .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) })
        case let url as URL: .text(url.absoluteString)
        case let decimal as Decimal: .text(decimal.description)
        case let number as NSNumber:
            ["d", "f"].contains(String(cString: number.objCType))
                ? .real(number.doubleValue) : .integer(number.int64Value)
        default: .blob([1])
        }
    }

    // MARK: Queries

    func query(
        _ entity: String = "Person", _ predicate: NSPredicate?, sortedBy descriptors: [NSSortDescriptor] = [],
        limit: Int = 0, offset: Int = 0, includesSubentities: Bool = true
    ) throws -> FetchQuery {
        let layout = try #require(layout.layout(named: entity))
        return FetchQuery(
            binding: EntityBinding(layout: layout, store: store, storeNumber: 1),
            includesSubentities: includesSubentities, predicate: predicate, sortDescriptors: descriptors, limit: limit,
            offset: offset)
    }

    func compiled(_ predicate: NSPredicate, _ entity: String = "Person") throws -> CompiledQuery {
        try compiler.select(query(entity, predicate), columns: ["Z_PK"])
    }

    func keys(_ query: FetchQuery) throws -> [Int64] {
        let compiled = try compiler.select(query, columns: ["Z_PK"])
        return try connection.rows(compiled.sql, compiled.parameters.map { Value($0) }).compactMap { $0[0].integer }
    }

    func count(_ query: FetchQuery) throws -> Int64 {
        let compiled = try compiler.count(query)
        return try connection.value(compiled.sql, compiled.parameters.map { Value($0) })?.integer ?? -1
    }

    func keysInMemory(_ predicate: NSPredicate, _ entity: String = "Person") throws -> [Int64] {
        try (objects[entity] ?? []).filter { try evaluation(of: predicate, on: $0) }.map(\.key).sorted()
    }
}

extension Value {
    init(_ parameter: SQLParameter) {
        self =
            switch parameter {
            case .null: .null
            case .integer(let integer): .integer(integer)
            case .real(let real): .real(real)
            case .text(let text): .text(text)
            case .blob(let data): .blob(Array(data))
            }
    }
}

extension SQLParameter {
    init(_ value: Value) {
        self =
            switch value {
            case .null: .null
            case .integer(let integer): .integer(integer)
            case .real(let real): .real(real)
            case .text(let text): .text(text)
            case .blob(let bytes): .blob(Data(bytes))
            }
    }
}
