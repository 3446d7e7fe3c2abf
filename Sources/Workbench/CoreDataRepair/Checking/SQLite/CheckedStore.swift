import CoreData
import SQLiteKit

/// A value that a statement takes.
typealias StatementValue = SQLiteKit.Value

/// A store's tables, as its model explains them.
struct CheckedStore {
    let raw: RawStore
    let model: NSManagedObjectModel
    let schema: StoreSchema
    let differences: [SchemaDifference]
    /// The columns that the file has, by table, all in upper case.
    private let columns: [String: Set<String>]

    init(_ raw: RawStore, _ model: NSManagedObjectModel, configuration: String?) throws {
        self.raw = raw
        self.model = model
        let resolution = try raw.resolution(of: model, configuration: configuration)
        schema = resolution.schema
        differences = resolution.differences
        columns = Dictionary(
            raw.tables.map { ($0.uppercased(), Set(raw.columns(of: $0).map { $0.uppercased() })) },
            uniquingKeysWith: { first, _ in first })
    }

    var connection: Connection { raw.connection }

    /// Whether Apple's framework made the store: the number of the version that this library writes is that of one of its versions.
    var isOfApplesFramework: Bool {
        let metadata = (try? raw.metadata()) ?? [:]
        let version = metadata["NSPersistenceFrameworkVersion"] as? NSNumber
        return version.map { $0.intValue != Int(NSCoreDataVersionNumber) } ?? false
            || metadata["NSPersistenceMaximumFrameworkVersion"] != nil
    }

    /// Whether the file has all columns of these names in a table.
    func has(_ table: String, _ names: String?...) -> Bool {
        guard let present = columns[table.uppercased()] else { return false }
        return names.allSatisfy { name in name.map { present.contains($0.uppercased()) } ?? true }
    }

    /// The entities whose objects are rows of a table, abstract ones too.
    func entities(in table: String) -> [EntityMapping] { schema.entities.filter { $0.table == table } }

    /// The tables of entities that the file has with what every row needs.
    var tables: [String] {
        var seen: Set<String> = []
        return schema.entities.map(\.table).filter { seen.insert($0).inserted && has($0, "Z_PK", "Z_ENT", "Z_OPT") }
    }

    /// The address of an object in short.
    func address(_ entity: Int64?, _ key: Int64?) -> String? {
        guard let key else { return nil }
        return "\(name(entity) ?? "?")/p\(key)"
    }

    func name(_ entity: Int64?) -> String? {
        entity.flatMap { Int(exactly: $0) }.flatMap { schema.entity(number: $0)?.name }
    }
}

extension CheckedStore {
    /// A condition on the entity of the row `t`: one of these, where the table has others too.
    func isOne(of numbers: [Int], in table: String) -> String {
        let all = Set(entities(in: table).filter { !$0.isAbstract }.map(\.number))
        guard !all.isSubset(of: numbers) else { return "1" }
        return "t.Z_ENT IN (\(Self.list(numbers)))"
    }

    static func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }
}
